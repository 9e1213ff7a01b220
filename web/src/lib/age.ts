import { config } from './config'
import { localStore } from './storage'

/** What somebody says of their age, as a sign-in carries it. */
export interface Age {
  confirmedAge: number
  guardianConsents: boolean
}

const key = 'kaibao-age'

/** What was said of the visitor's age in this browser; undefined where the house asks for none, or for more. */
export function savedAge(): Age | undefined {
  const { minimumAge, guardianBelow } = config.rules
  if (minimumAge === 0) return undefined
  const [years = 0, guardian] = (localStore.getItem(key) ?? '').split(' ')
  const age = { confirmedAge: Number(years), guardianConsents: guardian === 'guardian' }
  return age.confirmedAge >= minimumAge && (age.confirmedAge >= guardianBelow || age.guardianConsents) ? age : undefined
}

export function saveAge({ confirmedAge, guardianConsents }: Age): void {
  localStore.setItem(key, `${confirmedAge}${guardianConsents ? ' guardian' : ''}`)
}
