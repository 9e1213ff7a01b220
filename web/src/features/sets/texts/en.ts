import { number } from '@/lib/format'

/** Sets of toys have these texts too, so they say items rather than cards. */
const items = (n: number) => `${number(n)} ${n === 1 ? 'item' : 'items'}`

export const sets = {
  title: 'Sets',
  text: 'Every series and set. See what you have and what’s still missing.',
  list: 'Sets',
  failed: 'Couldn’t load the sets',
  category: 'Category',
  allCategories: 'All categories',
  empty: 'No sets here yet',
  emptyText: 'Choose another category.',
  items,
  progress: (owned: number, all: number) => `${number(owned)} of ${items(all)}`,
  complete: 'Complete',
  duplicates: (n: number) => (n === 1 ? '1 duplicate' : `${number(n)} duplicates`),
  wholeSeries: 'Whole series',
}

export const set = {
  back: 'All sets',
  failed: 'Couldn’t load this set',
  unknown: 'Set not found',
  unknownText: 'It may have been renamed. Find it in the list of all sets.',
  wholeText: 'Every item in the series, across all its sets.',
  seriesText: (series: string) => `Series: ${series}`,
  list: 'Items in this set',
  number: (text: string) => `#${text}`,
  value: 'Value',
  missing: 'Missing',
  owned: (n: number) => (n === 1 ? 'You have it' : `You have ${number(n)}`),
  emptyText: 'This set is empty now.',
  from: (price: string) => `From ${price} points`,
  bid: 'Bid',
  signIn: 'Connect your wallet to see what you have.',
  connect: 'Connect wallet',
}

export const finish = {
  title: 'Finish this set',
  complete: 'You have the whole set.',
  missing: (n: number) => `You’re missing ${items(n)}.`,
  forSale: (n: number) =>
    n === 1 ? 'For sale: 1 item, at its lowest price' : `For sale: ${number(n)} items, each at its lowest price`,
  cheapest: (n: number, left: number) =>
    `These are the ${number(n)} cheapest. ${number(left)} more ${left === 1 ? 'is' : 'are'} for sale.`,
  add: (n: number) => `Add ${items(n)} to cart`,
  added: (n: number) => `${items(n)} added to cart`,
  noRoom: (n: number) => `Your cart is full: ${items(n)} didn’t fit. Buy or remove some first.`,
  allInCart: 'All of them are in your cart.',
  notForSale: (n: number) => `Not for sale right now: ${items(n)}`,
  more: (n: number) => `and ${number(n)} more`,
  bid: (n: number) => `Bid on ${items(n)}`,
  duplicates: 'Your duplicates',
  has: (n: number) => `You have ${n === 1 ? '1 duplicate' : `${number(n)} duplicates`} from this set.`,
  payout: (n: number) => `Sell ${number(n)} of them now and get, after fees:`,
  payoutAll: 'Sell now and get, after fees:',
  cantSell: 'None of them can be sold right now.',
  sell: 'Sell in My collection',
}
