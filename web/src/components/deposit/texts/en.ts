import type { Deposit } from '@/contract/types'

export const deposits = {
  states: {
    quoted: 'Not paid yet',
    pending: 'On its way',
    verified: 'Paid, adding points',
    credited: 'Points added',
    expired: 'Not paid in time',
    review: 'Under review',
    rejected: 'Did not go through',
    refunded: 'Refunded',
  } satisfies Record<Deposit['state'], string>,
  /** The same in a sentence: what it means for the money. */
  meanings: {
    quoted: 'Nothing has been paid yet.',
    pending: 'A payment was seen. The points are added by themselves once the chain has it for good.',
    verified: 'The payment is final. The points are added in a moment.',
    credited: 'The points are in your balance.',
    expired:
      'Nothing was paid in time, so nothing was added. A payment that was made after all is found and looked at.',
    review: 'Something about this payment is unclear, so one of us looks at it. Nothing is lost.',
    rejected: 'The payment did not go through. Nothing was added.',
    refunded: 'This payment was refunded.',
  } satisfies Record<Deposit['state'], string>,
  confirming: 'The chain has the payment. It is final in a minute or two; then the points are added by themselves.',
  exceptions: {
    under: 'Less was paid than asked',
    over: 'More was paid than asked',
    late: 'Paid after its time',
  },
  life: 'What happened',
  /** Why it came into a state, by the server's words for it. */
  reasons: {
    asked: 'Points were asked for',
    seen: 'The provider has seen a payment',
    unpaid: 'Nothing was paid in time',
    paid: 'Provider and chain agree that it was paid',
    moved: 'The points were added',
    failed: 'The transaction failed on the chain',
    elsewhere: 'The payment went to another recipient, or was in another currency',
    underpaid: 'Less came in than was asked',
    late: 'It was paid after its time',
    disagreement: 'Provider and chain do not tell the same',
    'used-before': 'The payment was taken for another top-up already',
    'never-final': 'The payment was not final within a day',
  } as Partial<Record<string, string>>,
  byAdmin: 'Decided by one of us',
  transaction: 'Transaction',
  copy: 'Copy',
  copied: 'Copied',
  copyFailed: 'Could not be copied',
}
