import { items } from '@/components/texts/en'

export const catalogue = {
  feeChange: (percent: number, at: string) => `From ${at}, the fee is ${percent}%.`,
  ...items,
  howFair: 'How a draw works',
  store: {
    opening: 'opening...',
    title: 'Packs',
    text: 'Every pack shows its odds, its cards and its expected value before you pay.',
    featured: 'Featured',
    new: 'new',
    soldOut: 'Sold out',
    paused: 'Paused',
    tooDear: 'Over the house limit',
    openPack: 'Open Pack',
    viewPack: 'View Pack',
    priceIn: (price: string) => `${price} Play Points`,
    empty: 'No packs here yet',
    emptyText: 'New packs are on their way. Have a look at the others meanwhile.',
    showAll: 'Show all packs',
    failed: 'Failed to fetch packs',
  },
}
