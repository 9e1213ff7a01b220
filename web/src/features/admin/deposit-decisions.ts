import type { AdminDeposit } from '@/contract/types'

export const decisions = ['credit', 'refund', 'reject'] as const
export type Decision = (typeof decisions)[number]

const decisionsByState: Partial<Record<AdminDeposit['state'], readonly Decision[]>> = {
  review: decisions,
  credited: ['refund'],
}

export function decisionsFor(state: AdminDeposit['state']): readonly Decision[] {
  return decisionsByState[state] ?? []
}
