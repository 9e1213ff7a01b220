const items = (n: number) => (n === 1 ? '1 item' : `${n} items`)

export const bulk = {
  buttons: {
    list: (n: number) => `List ${n}`,
    reprice: (n: number) => `Reprice ${n}`,
    delist: (n: number) => `Delist ${n}`,
  },
  titles: {
    list: (n: number) => `List ${items(n)} for sale`,
    reprice: (n: number) => `Change the price of ${items(n)}`,
    delist: (n: number) => `Take ${items(n)} off the marketplace`,
  },
  texts: {
    list: 'All are listed at the prices below, or none.',
    reprice: 'All prices change, or none. What asks no more than the best bid for it is sold to that bid at once.',
    delist: 'All are taken back, or none. They stay in your collection.',
  },
  confirm: {
    list: (n: number) => `List ${items(n)}`,
    reprice: (n: number) => `Change ${n === 1 ? '1 price' : `${n} prices`}`,
    delist: (n: number) => `Delist ${items(n)}`,
  },
  first: (most: number, all: number) => `Up to ${most} at once: these are the first ${most} of ${all}.`,
  rule: 'Prices',
  rules: {
    share: 'A share of the value',
    each: 'The same for all',
    by: 'More or less by',
  },
  typed: {
    share: 'Per cent of the value',
    each: 'Price in dollars',
    by: 'Dollars, with − for less',
  },
  lines: 'What it comes to',
  value: (value: string) => `Value ${value}`,
  was: (price: string) => `so far ${price}`,
  noPrice: 'No price',
  toBid: (bid: string, left: string) => `A bid of ${bid} takes it at once. You receive ${left}.`,
  listingFee: 'Listings: ',
  bidFee: 'Sales to bids: ',
  total: 'All together',
  far: (n: number) =>
    `${n === 1 ? '1 price is' : `${n} prices are`} far from the value. Nothing has been done: look at them again.`,
  farBelow: (house: string) => `The house pays ${house} for it now.`,
  farAbove: 'Far above its value.',
  leaveOut: (n: number) => (n === 1 ? 'Leave it out' : `Leave ${n} out`),
  meant: 'Yes, these prices',
  wrong: 'Nothing has been done, for what is said below.',
  nothing: 'Nothing is left to do.',
  working: 'Working...',
  done: {
    list: (n: number) => `${items(n)} listed`,
    reprice: (n: number) => `${n === 1 ? '1 price' : `${n} prices`} changed`,
    delist: (n: number) => `${items(n)} taken back`,
  },
  sold: (n: number, left: string) => `Bids took ${items(n)} at once. You received ${left}.`,
  failed: 'Nothing Changed',
}
