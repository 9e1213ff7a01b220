import { number } from '@/lib/format'
export const overview = {
  files: 'As CSV files',
  file: {
    packs: 'Packs',
    opens: 'Opens',
    sales: 'Sales',
    'sell-backs': 'Sell-backs',
    transfers: 'All transfers',
  },
  top: 'Top pulls',
  topText: (least: string) => `The most valuable cards that were pulled, of those worth ${least} or more.`,
  within: 'How far back',
  days: (count: number) => `${number(count)} days`,
  failed: 'The top pulls could not be fetched',
  none: 'No such pull',
  noneText: (least: string) => `Nobody pulled a card worth ${least} or more in these days.`,
  pairs: 'Who gained from whom',
  pairsText:
    'By how much prices between two users were above what the cards were worth, and how long ago each of them first and last topped up.',
  pairsFailed: 'The pairs could not be fetched',
  pairsNone: 'No trades between users',
  pairsNoneText: 'Nobody sold to another user in these days.',
  pairColumns: { gainer: 'Gained', payer: 'Paid', trades: 'Trades', moved: 'Above value', last: 'Last trade' },
  deposits: (first: string, last: string) => `Top-ups from ${first} to ${last}`,
  noDeposits: 'Never topped up',
  columns: { item: 'Card', value: 'Value', pack: 'Pack', player: 'Player', time: 'Time' },
}
