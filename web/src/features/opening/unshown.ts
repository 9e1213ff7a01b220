import type { Opening } from '@/contract/types'
import { localStore } from '@/lib/storage'

/** An open whose result hasn't been shown yet. Kept in local storage, so that it outlives its tab. */
interface Unshown {
  commitment: string
  address: string
  items: number
  /** An order that wasn't drawn when its answer arrived. */
  pending?: boolean
}

const prefix = 'unshown:'

export function keepUnshown(
  address: string,
  { commitment, items, state }: Pick<Opening, 'commitment' | 'items' | 'state'>,
): void {
  const pending = state === 'sealed'
  localStore.setItem(prefix + commitment, JSON.stringify({ address, items: items.length, ...(pending && { pending }) }))
}

/** The user's unshown opens, of all tabs. */
export function unshownOpens(address: string): Unshown[] {
  return localStore
    .keys()
    .filter((key) => key.startsWith(prefix))
    .map((key) => load(key.slice(prefix.length)))
    .filter((unshown) => unshown?.address === address)
    .filter((unshown) => unshown !== undefined)
}

/** Removes it once shown or reported. False if it was removed already. */
export function forgetUnshown({ commitment }: Pick<Opening, 'commitment'>): boolean {
  const stored = load(commitment) !== undefined
  localStore.removeItem(prefix + commitment)
  return stored
}

function load(commitment: string): Unshown | undefined {
  try {
    const stored = JSON.parse(localStore.getItem(prefix + commitment) ?? 'null') as Partial<Unshown> | null
    const { address, items, pending } = stored ?? {}
    if (address === undefined || items === undefined) return undefined
    return { commitment, address, items, ...(pending && { pending }) }
  } catch {
    return undefined
  }
}
