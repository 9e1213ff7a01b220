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
  columns: { item: 'Card', value: 'Value', pack: 'Pack', player: 'Player', time: 'Time' },
}
