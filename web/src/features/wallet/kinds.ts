import type { TransactionKind } from '@/api/wallet'
import type { Transaction } from '@/contract/types'

const kinds = {
  open: 'open',
  'order-refund': 'orderRefund',
  deposit: 'deposit',
  'deposit-refund': 'depositRefund',
  'deposit-shortfall': 'depositShortfall',
  'sandbox-deposit': 'sandboxDeposit',
  'admin-credit': 'adminCredit',
  debit: 'debit',
  forfeit: 'forfeit',
  'sale-fee': 'saleFee',
  'sell-back': 'sellBack',
  bid: 'bid',
  'bid-return': 'bidReturn',
  'bid-fill': 'bidFill',
  counter: 'counter',
  shipping: 'shipping',
  'shipping-refund': 'shippingRefund',
  'loss-refund': 'lossRefund',
} as const

type Kind = (typeof kinds)[keyof typeof kinds] | 'purchase' | 'sale' | 'other'

/** The text key of a transaction; `other` if this version doesn't know its kind. */
export function kindOf({ kind, amountCents }: Pick<Transaction, 'kind' | 'amountCents'>): Kind {
  if (kind === 'sale') return amountCents < 0 ? 'purchase' : 'sale'
  return kind in kinds ? kinds[kind as keyof typeof kinds] : 'other'
}

/** Text keys of the kinds in the filter. A missing kind doesn't compile. */
export const kindNames = {
  sale: 'trade',
  ...kinds,
} as const satisfies Record<TransactionKind, string>
