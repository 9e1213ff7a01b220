import { number } from '@/lib/format'

const cards = (n: number) => `${number(n)} ${n === 1 ? 'card' : 'cards'}`

export const sets = {
  title: 'Sets',
  text: 'Every series and set. See which cards you have and which are still missing.',
  list: 'Sets',
  failed: 'Couldn’t load the sets',
  category: 'Category',
  allCategories: 'All categories',
  empty: 'No sets here yet',
  emptyText: 'Choose another category.',
  cards,
  progress: (owned: number, all: number) => `${number(owned)} of ${cards(all)}`,
  complete: 'Complete',
  duplicates: (n: number) => (n === 1 ? '1 duplicate' : `${number(n)} duplicates`),
  wholeSeries: 'All cards',
}

export const set = {
  back: 'All sets',
  failed: 'Couldn’t load this set',
  unknown: 'Set not found',
  unknownText: 'It may have been renamed. Find it in the list of all sets.',
  wholeText: 'Every card of the series, in all of its sets.',
  seriesText: (series: string) => `A set of the series ${series}.`,
  list: 'Cards of this set',
  number: (text: string) => `#${text}`,
  value: 'Value',
  missing: 'Missing',
  owned: (n: number) => (n === 1 ? 'You have it' : `You have ${number(n)}`),
  emptyText: 'This set has no cards anymore.',
  from: (price: string) => `From ${price} points`,
  bid: 'Bid',
  signIn: 'Connect your wallet to see which cards you have.',
  connect: 'Connect wallet',
}

export const finish = {
  title: 'Finish this set',
  complete: 'You have every card of this set.',
  missing: (n: number) => `You’re missing ${cards(n)}.`,
  forSale: (n: number) =>
    n === 1 ? 'For sale: 1 card, at its lowest price' : `For sale: ${number(n)} cards, each at its lowest price`,
  cheapest: (n: number, left: number) =>
    `These are the ${number(n)} cheapest. ${number(left)} more ${left === 1 ? 'is' : 'are'} for sale.`,
  add: (n: number) => (n === 1 ? 'Add 1 card to cart' : `Add ${number(n)} cards to cart`),
  added: (n: number) => `${cards(n)} added to cart`,
  noRoom: (n: number) => `Your cart is full: ${cards(n)} didn’t fit. Buy or remove some first.`,
  allInCart: 'All of them are in your cart.',
  notForSale: (n: number) => `Nobody sells ${n === 1 ? 'this missing card' : `these ${number(n)} missing cards`}:`,
  more: (n: number) => `and ${number(n)} more`,
  bid: (n: number) => (n === 1 ? 'Bid on this card' : `Bid on ${number(n)} cards`),
  duplicates: 'Your duplicates',
  bring: (n: number) => `${n === 1 ? 'You have 1 duplicate' : `You have ${number(n)} duplicates`} of this set.`,
  payout: (n: number) =>
    n === 1
      ? 'Selling 1 of them now would bring, after fees:'
      : `Selling ${number(n)} of them now would bring, after fees:`,
  payoutAll: 'Selling them now would bring, after fees:',
  cantSell: 'None of them can be sold right now.',
  sell: 'Sell in My collection',
}
