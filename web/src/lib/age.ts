import { config } from './config'
import { localStore } from './storage'

/** A visitor's age confirmation, sent when signing in. */
export interface Age {
  confirmedAge: number
  guardianConsents: boolean
}

const key = 'kaibao-age'

/** The age confirmed in this browser; undefined if the house rules need none, or a higher one. */
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
