import type { AdminDeposit } from '@/contract/types'

export const decisions = ['credit', 'refund', 'reject'] as const
export type Decision = (typeof decisions)[number]

/** What can be decided of a deposit in a state. */
const open: Partial<Record<AdminDeposit['state'], readonly Decision[]>> = {
  review: decisions,
  credited: ['refund'],
}

export function decisionsOn(state: AdminDeposit['state']): readonly Decision[] {
  return open[state] ?? []
}
