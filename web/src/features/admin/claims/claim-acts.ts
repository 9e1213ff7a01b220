import type { QueuedClaim } from '@/contract/types'

const claimActs = ['pack', 'ship', 'deliver', 'cancel', 'lose', 'replace', 'refund'] as const
export type ClaimAct = (typeof claimActs)[number]

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

const actsByState: Partial<Record<QueuedClaim['state'], readonly ClaimAct[]>> = {
  requested: ['pack', 'cancel'],
  packed: ['ship', 'lose'],
  shipped: ['deliver', 'ship', 'lose'],
  lost: ['replace', 'refund'],
  replacing: ['ship', 'refund'],
}

/** The acts that are possible for every one of the claims. */
export function actsFor(claims: readonly Pick<QueuedClaim, 'state'>[]): readonly ClaimAct[] {
  return claimActs.filter((act) => claims.length > 0 && claims.every(({ state }) => actsByState[state]?.includes(act)))
}

export const needsReason = (act: ClaimAct) => !['pack', 'ship', 'deliver'].includes(act)

/** "Charizard +2": the first item and the number of others. */
export function claimSummary({ items: [first, ...others] }: Pick<QueuedClaim, 'items'>): string {
  return `${first?.item.name ?? ''}${others.length > 0 ? ` +${others.length}` : ''}`
}
