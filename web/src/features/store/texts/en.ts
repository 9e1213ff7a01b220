export { quantity } from '@/components/quantity/texts/en'
export { sealed } from '@/components/sealed/texts/en'

export const home = {
  live: 'Live',
  heading: 'Open a pack. Own the card.',
  text: 'Open packs of real graded cards and designer toys, then keep, trade or ship what you pull. You can verify every draw.',
  grabAPack: 'Grab a pack',
  hero: 'Featured',
  heroPictures: ['A row of graded card slabs under lights', 'A foil pack being opened under a light'],
  pickPicture: (n: number) => `Show picture ${n}`,
  log: {
    label: 'Packs opened and public log',
    opened: 'Packs opened',
    size: 'Entries in the public log',
    signed: 'Log last signed',
    check: 'Check the log',
  },
  welcome: 'Welcome',
  welcomeBack: 'Welcome back',
  packsHeading: 'Featured packs',
  allPacks: 'All packs',
  fairHeading: 'Why every draw is fair',
  fairText: 'Three steps, all verifiable.',
  fairSteps: [
    {
      title: 'Locked in first',
      text: 'Before you open, we pick a secret key and show you its lock. No other key fits it, so we can’t swap ours later.',
    },
    {
      title: 'You add randomness',
      text: 'Your browser adds its own random numbers. We couldn’t have known them when we picked the key.',
    },
    {
      title: 'Revealed and logged',
      text: 'We reveal the key with your result. The odds are public, and every draw is recorded in a public log.',
    },
  ],
}

export const store = {
  sort: 'Sort by',
  sorts: {
    featured: 'Featured',
    price: 'Price: low to high',
    chance: 'Chance of the price or more',
    value: 'Expected value per point',
  },
  chanceOf: (price: string) => `Chance of ${price} or more`,
  about: (chance: string) => `about ${chance}`,
  bestCard: 'Best card',
  lastBigPull: 'Last big pull',
  noneYet: 'None yet',
  paused: 'Paused',
  tooDear: 'Above the price limit',
  empty: 'No packs here yet',
  emptyText: 'More packs are on the way. Browse the others for now.',
  showAll: 'Show all packs',
  failed: 'Couldn’t load the packs',
}

interface Lead {
  chance: string
  price: string
  median: string
  /** Cards per pack. */
  cards: number
  approximate: boolean
}

export const pack = {
  probability: 'probability',
  expectedValue: 'Expected value',
  oddsColumns: { range: 'Value range', tier: 'Tier', weight: 'Listed weight', chance: 'Your odds' },
  oddsTable: 'Odds of this pack',
  weightHelp: 'Each tier’s share of the published odds.',
  chanceHelp: 'Your real odds right now: the weights adjusted for the stock left.',
  distribution: 'Value distribution',
  distributionLead: ({ chance, price, median, cards, approximate }: Lead) => {
    const [opens, about] = [cards === 1 ? 'pulls' : 'packs', approximate ? 'about ' : '']
    const sentence = `${chance} of ${opens} are worth ${price} or more; half are worth ${about}${median} or more.`
    return approximate ? `About ${sentence}` : sentence
  },
  priceMark: (price: string) => `Price ${price}`,
  bucket: (range: string, chance: string) => `${range}: ${chance}`,
  questions: {
    win: 'What could I win?',
    get: 'What will I probably get?',
    cost: 'What does it cost me on average?',
  },
  oneIn: (n: string) => `1 in ${n}`,
  oneInCards: (n: string) => `1 in ${n} cards`,
  averageValue: (value: string, cards: number) =>
    cards === 1 ? `Average card value ${value}.` : `Together, the ${cards} cards are worth ${value} on average.`,
  averageSellBack: (points: string) => `Selling everything back returns ${points} points on average.`,
  noSellBack: 'Kaibao doesn’t buy cards back here.',
  howComputed: 'How odds are computed',
  howComputedText:
    'Each draw picks a tier by its listed weight, then one of its cards, all equally likely. Your odds are the weights adjusted for the stock left.',
  allCards: 'All cards',
  allCardsText: 'Every card you can pull right now, with its value and chance.',
  searchCards: 'Search the cards of this pack',
  searchCardsPlaceholder: 'Search cards...',
  cardsFailed: 'Couldn’t load the cards',
  noMatch: 'No matching cards',
  noMatchText: 'Try another search.',
  clearSearch: 'Clear search',
  noCardsLeft: 'No cards left to pull',
  noCardsLeftText: 'This pack is sold out.',
  footnote:
    'Expected value is the average item value. Odds are calculated live from the cards left. This is not a financial service. Prices may change. Terms apply.',
  proof: 'Odds table',
  proofHelp: 'The published cards and weights behind every draw of this pack.',
  actualResults: 'Actual results',
  morePacks: 'more packs',
  price: 'Price',
  balance: 'Your balance',
  itemsPerPack: (n: number) => (n === 1 ? '1 item per pack' : `${n} items per pack`),
  left: (n: number) => `${n} left`,
  demoRip: 'demo rip',
  openPack: 'open pack',
  openPacks: (n: number) => `open ${n} packs`,
  connectWallet: 'connect wallet',
  testPoints: 'Test mode: these points are free.',
  notEnough: (missing: string) => `You need ${missing} more Play Points.`,
  walletMismatch: 'Your wallet changed accounts. Sign in again to open packs.',
  onBreak: 'You’re on a break.',
  inactive: 'This pack isn’t on sale right now.',
  tooDear: (most: string) => `Packs over ${most} aren’t available here.`,
  sealed: 'Your result is locked in before you open. Verify it any time after.',
  verifiable: 'Verify your result any time after.',
  potentialGrails: 'potential grails',
  potentialRare: 'potential rare',
  showcaseText: 'The top cards you can pull.',
  showcaseToys: 'The top toys you can pull.',
  showcaseSome: 'Some of the items you can pull.',
  enlarge: (name: string) => `Enlarge ${name}`,
  notFound: 'Pack Not Found',
  notFoundText: 'This pack doesn’t exist or is no longer in the store.',
  backToPacks: 'Back to Packs',
  failed: 'Failed to fetch pack details',
}
