import type { config } from '@/lib/config'

/** Figures of the tests' own house. */
const told: typeof config = {
  sandbox: false,
  version: 'test',
  social: '',
  chat: '',
  covers: [],
  feed: '0',
  session: true,
  terms: {
    feePercent: 5,
    bidFeePercent: 2,
    highestPriceCents: 100_000_000,
    highestPackPriceCents: 10_000_000,
    highestAcceptedLossCents: 100_000_000_000,
    highestFilter: 100_000_000,
    leastDeposit: 1,
    mostDeposit: 10_000,
    quickDeposits: [25, 50, 100, 500],
    mostSupply: 1_000_000_000,
    mostRestock: 1_000_000,
    mostItemsPerPack: 20,
    leastGrade: 1,
    mostGrade: 10,
    shortestCertNumber: 8,
    longestCertNumber: 15,
    largestPage: 200,
    mostSoldBack: 100,
    mostQuoted: 1000,
    mostInCart: 50,
    longestSearch: 100,
    longestSearchName: 60,
    longestUserName: 24,
    longestPortrait: 500,
    longestItemName: 200,
    longestPackName: 60,
    longestSeries: 64,
    longestPicture: 2000,
    longestSource: 64,
    longestReason: 500,
    topPullCents: 10_000,
    sellBackPercent: 90,
    leastBidCents: 50,
    bidSteps: [
      { upToCents: 1000, stepCents: 5 },
      { upToCents: 10_000, stepCents: 25 },
      { upToCents: 100_000, stepCents: 100 },
      { upToCents: 100_000_000, stepCents: 500 },
    ],
    leastPeg: 50,
    mostPeg: 120,
    mostBidFor: 100,
    mostBids: 200,
    bidDays: 30,
    longestBidDays: 90,
    counterHours: 48,
  },
  catalogue: {
    categories: [
      { id: 'pokemon', series: ['Pokemon'], toys: false },
      { id: 'onepiece', series: ['One Piece'], toys: false },
      { id: 'basketball', series: ['Basketball'], toys: false },
      { id: 'football', series: ['Football'], toys: false },
      { id: 'soccer', series: ['Soccer'], toys: false },
      { id: 'baseball', series: ['Baseball'], toys: false },
      { id: 'labubu', series: ['Labubu Collection', 'Labubu Deluxe Collection'], toys: true },
    ],
    morePacks: ['basketball', 'pokemon', 'football', 'soccer', 'baseball', 'onepiece', 'labubu'],
    series: ['Pokemon', 'Labubu Collection', 'Starter'],
  },
}

const script = document.createElement('script')
script.type = 'application/json'
script.id = 'kaibao-config'
script.textContent = JSON.stringify(told)
document.head.append(script)
