import type { StepId } from '@/lib/protocol/report'

/** Steps shown under one heading, in the order of a draw. */
export const stepGroups = {
  seal: ['commitment', 'announced'],
  order: ['order', 'orderReceipt', 'round', 'beacon', 'fixed', 'drawn'],
  table: ['manifest', 'terms'],
  draw: ['key', 'item', 'total'],
  receipt: ['logKey', 'receipt', 'leaf', 'shown'],
  log: ['inclusion', 'checkpoint', 'next'],
} as const satisfies Record<string, readonly StepId[]>
