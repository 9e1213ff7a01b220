const kinds = {
  open: 'open',
  'sandbox-deposit': 'sandboxDeposit',
  'admin-credit': 'adminCredit',
} as const

type Kind = (typeof kinds)[keyof typeof kinds] | 'other'

/** What a ledger line is called on the page. A kind we have no word for is a plain movement. */
export function kindOf(kind: string): Kind {
  return kind in kinds ? kinds[kind as keyof typeof kinds] : 'other'
}
