const items = (n: number) => (n === 1 ? '1 item' : `${n} items`)

export const sellBack = {
  quickSell: (payout: string) => `Quick sell ${payout}`,
  quickSellItem: (payout: string, item: string) => `Quick sell ${payout}: ${item}`,
  sellIt: 'Sell it',
  sellAll: (n: number) => `Sell all ${n}`,
  sellSelected: (n: number) => `Sell ${n} selected`,
  soldFor: (payout: string) => `Sold for ${payout}`,

  title: (n: number) => `Sell ${items(n)}`,
  text: (n: number) =>
    `${n === 1 ? 'Your' : 'Each'} card goes to the highest offer, from Kaibao or another collector. You’re paid right away. Sales are final.`,
  list: 'Items to sell',
  before: 'Before:',
  buyer: {
    kaibao: 'Selling to Kaibao. No collector bids yet.',
    kaibaoOverBid: (bid: string, net: string, fee: number) =>
      `Selling to Kaibao. The best bid, ${bid}, is ${net} after the ${fee}% fee.`,
    bid: 'Selling to a collector:',
    bidOverKaibao: (bid: string, net: string, fee: number, kaibao: string) =>
      `${bid} minus the ${fee}% fee is ${net}. Kaibao pays ${kaibao}.`,
  },
  more: (n: number) => `Show ${n} more`,
  total: 'You receive',
  allToKaibao: 'Kaibao’s offer for all',
  newBalance: 'New balance',
  locked: (n: number, all: number) => {
    if (n === all) return all === 1 ? 'Price guaranteed for' : 'Prices guaranteed for'
    return `${n} of ${all} prices guaranteed for`
  },
  floating: (all: number): string =>
    all === 1
      ? 'The price may change, but you won’t get less than shown without confirming.'
      : 'Prices may change, but you won’t get less than shown without confirming.',
  hours: (hours: string, minutes: string) => `${hours} h ${minutes} min`,
  minutes: (minutes: string, seconds: string) => `${minutes}:${seconds}`,
  lessThanHours: (n: number) => (n === 1 ? 'less than 1 hour' : `less than ${n} hours`),
  lessThanMinutes: (n: number) => (n === 1 ? 'less than 1 minute' : `less than ${n} minutes`),
  over: 'Time’s up. Updating the price…',
  calls: (calls: number, most: number) =>
    `We’ll sell in ${calls} batches of up to ${most} items. If one fails, earlier batches stay sold.`,
  cancel: 'Cancel',
  confirm: (payout: string) => `Sell for ${payout}`,
  confirming: 'Selling…',
  failed: 'Couldn’t load the prices',

  fell: (before: string, now: string) =>
    `The price dropped from ${before} to ${now}. Nothing was sold. Sell at the new price?`,
  rose: (before: string, now: string) => `The price rose from ${before} to ${now}.`,
  unsure: 'We didn’t hear back from the server, so the sale may have gone through. Try again: nothing sells twice.',
  tryAgain: 'Try again',
  none: 'None of these can be sold right now.',
  close: 'Close',
  leftOut: (n: number, why: string) => `${items(n)} excluded: ${why}`,
  partly: (n: number, payout: string) => `${items(n)} sold for ${payout}. The rest weren’t sold.`,
  why: {
    not_found: 'no longer yours.',
    already_sold: 'already sold. The Play Points are in your balance.',
    already_listed: 'listed on the marketplace. Delist it first.',
    conflict: 'being shipped to you.',
    no_buyer: 'no buyer right now.',
  },
  sold: (payout: string) => `Sold for ${payout}`,
  soldText: (toKaibao: number, toBids: number) => {
    if (toBids === 0) return `${items(toKaibao)} sold to Kaibao.`
    if (toKaibao === 0) return `${items(toBids)} sold to collectors.`
    return `${items(toKaibao)} sold to Kaibao, ${toBids} to collectors.`
  },
  notSold: 'Nothing sold',
  unsureText: 'We didn’t hear back from the server. Check your balance and collection to see if it sold.',

  select: 'Select',
  bar: 'Selected items',
  done: 'Done',
  pick: (payout: string) => `Sell for ${payout}`,
  pickItem: (item: string, payout: string) => `Select: ${item}, ${payout}`,
  notSellable: 'Can’t be sold now',
  give: 'Give',
  giveItem: (name: string) => `Give ${name}`,
  giveMany: (n: number) => `Give ${n}`,
  seeGift: 'View gift',
  seeGiftOf: (name: string) => `View gift: ${name}`,
  listed: 'Listed',
  pickThis: 'Select',
  pickOther: (item: string) => `Select: ${item}`,
  picked: (n: number) => (n === 0 ? 'Nothing selected' : `${items(n)} selected`),
  all: 'Select all',
  duplicates: 'Sell duplicates, keep one',
  noDuplicates: 'No duplicates',
  below: 'Select below',
  belowValue: 'Maximum value ($)',
  belowPlaceholder: '$ value',
  clear: 'Clear',
  reading: (n: number) => `Loading the full list: ${n} so far…`,
  readFailed: 'Couldn’t load the full list',
  readFailedText: 'Your selection hasn’t changed. Please try again.',
}
