export const ledger = {
  recent: 'Recent movements',
  empty: 'Nothing has moved yet',
  emptyText: 'Top-ups and packs you open will be listed here, each with the balance after it.',
  failed: 'Failed to fetch wallet',
  columns: { what: 'What', when: 'When', amount: 'Amount', balance: 'Balance after' },
  kinds: {
    open: 'Pack opened',
    sandboxDeposit: 'Sandbox top-up',
    adminCredit: 'Credit from Kaibao',
    purchase: 'Bought on the marketplace',
    sale: 'Sold on the marketplace',
    saleFee: 'Marketplace fee',
    sellBack: 'Sold back to Kaibao',
    other: 'Movement',
  },
}
