import type { TransactionKind } from '@/api/wallet'
import type { Transaction } from '@/contract/types'

const kinds = {
  open: 'open',
  deposit: 'deposit',
  'deposit-refund': 'depositRefund',
  'deposit-shortfall': 'depositShortfall',
  'sandbox-deposit': 'sandboxDeposit',
  'admin-credit': 'adminCredit',
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

/** What a ledger line is called on the page. A kind we have no word for is a plain movement. */
export function kindOf({ kind, amountCents }: Pick<Transaction, 'kind' | 'amountCents'>): Kind {
  if (kind === 'sale') return amountCents < 0 ? 'purchase' : 'sale'
  return kind in kinds ? kinds[kind as keyof typeof kinds] : 'other'
}

/** The kinds of lines that can be asked for, by their names in the texts. One that is missing here does not compile. */
export const kindNames = {
  sale: 'trade',
  ...kinds,
} as const satisfies Record<TransactionKind, string>
