import type { config } from '@/lib/config'

/** Figures of the tests' own house. */
const told: typeof config = {
  sandbox: false,
  version: 'test',
  social: '',
  chat: '',
  session: true,
  terms: {
    feePercent: 5,
    highestPriceCents: 100_000_000,
    highestFilter: 100_000_000,
    leastDeposit: 1,
    mostDeposit: 10_000,
    quickDeposits: [25, 50, 100, 500],
    mostItemsPerPack: 20,
    largestPage: 200,
    mostSoldBack: 100,
    longestSearch: 100,
    longestUserName: 24,
    longestPortrait: 500,
    longestItemName: 200,
    longestPackName: 60,
    longestSeries: 64,
    longestPicture: 2000,
  },
}

const script = document.createElement('script')
script.type = 'application/json'
script.id = 'kaibao-config'
script.textContent = JSON.stringify(told)
document.head.append(script)
