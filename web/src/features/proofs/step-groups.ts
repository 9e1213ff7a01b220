import type { StepId } from '@/lib/protocol/report'

/** Which steps stand together, in the order of a draw. */
export const groups = {
  seal: ['commitment', 'announced'],
  table: ['manifest', 'terms'],
  draw: ['key', 'item', 'total'],
  receipt: ['logKey', 'receipt', 'leaf', 'shown'],
  log: ['inclusion', 'checkpoint', 'next'],
} as const satisfies Record<string, readonly StepId[]>
