import type { Deposit } from '@/contract/types'

export const deposits = {
  states: {
    quoted: 'Awaiting payment',
    pending: 'Confirming payment',
    verified: 'Adding points',
    credited: 'Points added',
    expired: 'Expired',
    review: 'Under review',
    rejected: 'Payment failed',
    refunded: 'Refunded',
  } satisfies Record<Deposit['state'], string>,
  /** What each state means for the user's money. */
  meanings: {
    quoted: 'You haven’t paid yet.',
    pending: 'We’re confirming your payment. Your points arrive once it’s final.',
    verified: 'Your payment is final. Your points arrive in a moment.',
    credited: 'The points are in your balance.',
    expired: 'No payment arrived in time, so no points were added. If you did pay, we’ll find and review your payment.',
    review: 'Our team is checking this payment. Your money is safe.',
    rejected: 'The payment didn’t go through. No points were added.',
    refunded: 'This payment was refunded.',
  } satisfies Record<Deposit['state'], string>,
  confirming: 'Payment received. Points arrive in a minute or two.',
  exceptions: {
    under: 'Underpaid',
    over: 'Overpaid',
    late: 'Paid late',
  },
  history: 'History',
  /** The server's reasons for a change of state. An unknown reason shows the state instead. */
  reasons: {
    asked: 'Top-up started',
    seen: 'Payment detected by the provider',
    unpaid: 'No payment arrived in time',
    paid: 'Payment confirmed by the provider and on-chain',
    moved: 'Points added',
    failed: 'Transaction failed on-chain',
    elsewhere: 'Paid to another recipient or in another currency',
    underpaid: 'Paid less than the amount due',
    late: 'Paid after the deadline',
    disagreement: 'The provider and the chain disagree',
    'used-before': 'Payment already used for another top-up',
    'never-final': 'Payment wasn’t final within a day',
  } as Partial<Record<string, string>>,
  byAdmin: 'Decided by our team',
  transaction: 'Transaction',
  copy: 'Copy',
  copied: 'Copied',
  copyFailed: 'Couldn’t copy',
}
