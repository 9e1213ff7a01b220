import type { QueuedClaim } from '@/contract/types'

export const acts = ['pack', 'ship', 'deliver', 'cancel', 'lose', 'replace', 'refund'] as const
export type ClaimAct = (typeof acts)[number]

export const claimStates = [
  'requested',
  'packed',
  'shipped',
  'lost',
  'replacing',
  'delivered',
  'cancelled',
  'refunded',
] as const

/** What an admin can do with a claim in a state. */
const ways: Partial<Record<QueuedClaim['state'], readonly ClaimAct[]>> = {
  requested: ['pack', 'cancel'],
  packed: ['ship', 'lose'],
  shipped: ['deliver', 'ship', 'lose'],
  lost: ['replace', 'refund'],
  replacing: ['ship', 'refund'],
}

/** What can be done with all of some claims at once. */
export function waysOf(claims: readonly Pick<QueuedClaim, 'state'>[]): readonly ClaimAct[] {
  return acts.filter((act) => claims.length > 0 && claims.every(({ state }) => ways[state]?.includes(act)))
}

/** What an act needs to be told. */
export const needsReason = (act: ClaimAct) => !['pack', 'ship', 'deliver'].includes(act)

/** A claim in a few words, for who has many of them before their eyes. */
export function brief({ items: [first, ...others] }: Pick<QueuedClaim, 'items'>): string {
  return `${first?.item.name ?? ''}${others.length > 0 ? ` +${others.length}` : ''}`
}
