const items = (n: number) => (n === 1 ? '1 item' : `${n} items`)

export const sellBack = {
  quickSell: (payout: string) => `Quick Sell ${payout}`,
  quickSellItem: (payout: string, item: string) => `Quick Sell ${payout}: ${item}`,
  sellAll: (n: number, payout: string) => `Sell all ${n} for ${payout}`,
  soldFor: (payout: string) => `Sold for ${payout}`,

  title: (n: number) => `Sell ${items(n)}`,
  text: 'Each goes to who pays most, the house or a bid. This is final: what is sold leaves your collection, and the Play Points are yours at once.',
  list: 'What you sell',
  before: 'Before:',
  buyer: {
    house: 'To the house: there is no bid for it.',
    houseNotBid: (bid: string, net: string, fee: number) =>
      `To the house: the best bid of ${bid} leaves you ${net} after its fee of ${fee}%.`,
    bid: 'To a bid:',
    bidNotHouse: (bid: string, net: string, fee: number, house: string) =>
      `${bid} less the fee of ${fee}% is ${net}. The house pays ${house}.`,
  },
  more: (n: number) => `Show ${n} more`,
  total: 'You receive',
  houseAlone: 'The house alone pays',
  balanceAfter: 'Balance after it',
  locked: (n: number, all: number) => {
    if (n === all) return all === 1 ? 'This price cannot fall for' : 'These prices cannot fall for'
    return `${n} of ${all} prices cannot fall for`
  },
  floating: (all: number): string =>
    all === 1
      ? 'The price can change at any time, as values and bids do. Nothing is sold for less than this.'
      : 'The prices can change at any time, as values and bids do. Nothing is sold for less than this.',
  hours: (hours: string, minutes: string) => `${hours} h ${minutes} min`,
  minutes: (minutes: string, seconds: string) => `${minutes}:${seconds} min`,
  lessThanHours: (n: number) => (n === 1 ? 'less than 1 hour' : `less than ${n} hours`),
  lessThanMinutes: (n: number) => (n === 1 ? 'less than 1 minute' : `less than ${n} minutes`),
  over: 'The time is over. The price is being asked for again.',
  calls: (calls: number, most: number) =>
    `These are sold in ${calls} steps of up to ${most} items. Should one be refused, those before it stay sold.`,
  cancel: 'Cancel',
  confirm: (payout: string) => `Sell for ${payout}`,
  confirming: 'Selling...',
  failed: 'The prices could not be loaded',

  fell: (before: string, now: string) =>
    `What this brings has fallen from ${before} to ${now}. Nothing has been sold. Do you want to sell for that?`,
  rose: (before: string, now: string) => `What this brings has risen from ${before} to ${now}.`,
  unsure: 'No answer came from the server, so it may or may not be sold. Ask again: it is sold once at most.',
  askAgain: 'Ask again',
  none: 'Nothing here can be sold now.',
  close: 'Close',
  leftOut: (n: number, why: string) => `${items(n)} left out: ${why}`,
  partly: (n: number, payout: string) => `${items(n)} sold for ${payout}. The rest has not been sold.`,
  why: {
    not_found: 'not yours any more.',
    already_sold: 'sold already. What that brought is in your balance.',
    already_listed: 'for sale on the marketplace. Delist first.',
    conflict: 'on the way to you.',
    no_buyer: 'neither the house nor a bid takes it now.',
  },
  sold: (payout: string) => `Sold for ${payout}`,
  soldText: (house: number, bids: number) => {
    if (bids === 0) return `${items(house)} went to the house.`
    return house === 0 ? `${items(bids)} went to bids.` : `${items(house)} went to the house, ${bids} to bids.`
  },
  notSold: 'Nothing Sold',
  unsureText: 'No answer came from the server. Your balance and your collection show whether it was sold.',

  select: 'Select several',
  bar: 'Several items',
  done: 'Done',
  pick: (payout: string) => `Sell for ${payout}`,
  pickItem: (item: string, payout: string) => `Select: ${item}, ${payout}`,
  notSellable: 'Cannot be sold now',
  onMarket: 'For sale',
  pickThis: 'Select',
  pickOther: (item: string) => `Select: ${item}`,
  picked: (n: number) => (n === 0 ? 'Nothing selected' : `${items(n)} selected`),
  all: 'All',
  duplicates: 'Sell duplicates, keep one',
  noDuplicates: 'No duplicates',
  below: 'All below this',
  belowValue: 'Value in dollars',
  belowPlaceholder: '$ value',
  clear: 'None',
  reading: (n: number) => `Reading the whole list, ${n} so far…`,
  readFailed: 'The list could not be read to its end',
  readFailedText: 'Nothing more was selected. Please try again.',
}
