import type { Activity, CardChance, DepositLife, InventoryEntry, Item, Pack, PackDetail, User } from '@/contract/types'

export const someUser: User = {
  id: 'u1',
  walletAddress: '7YkQv3nRkW5oLrWc1fYb9pXzJmT2sDhGeUaVtBqNxKpL',
  walletType: 'solana',
  acceptsGifts: true,
  handle: '',
  handleAllowed: true,
  public: false,
  pagesHidden: false,
  showcase: [],
  role: 'user',
  firstName: '',
  lastName: '',
  email: '',
  profileImageUrl: '',
  picture: '',
  userTag: '00112233445566778899aabbccddeeff',
  userTagSalt: '00',
}

export const pokemon: Pack = {
  id: '2',
  name: 'Pokemon',
  nameZh: '宝可梦',
  description: { en: 'Graded cards', zh: '评级卡牌' },
  series: ['Pokemon'],
  priceCents: 2500,
  price: '$25.00',
  coverImageUrl: '/media/packs/2.svg',
  coverSources: '',
  itemsPerPack: 1,
  supply: -1,
  sold: 0,
  isActive: true,
  soldOut: false,
  isNew: false,
  isDemo: false,
  paused: '',
  listedExpectedValueCents: 2500,
  expectedValueCents: 2512,
  beatsPriceChance: 0.3162,
  cashBackCents: 2260,
  approximate: false,
  manifestHash: 'ab'.repeat(32),
}

export const labubu: Pack = {
  ...pokemon,
  id: '7',
  name: 'Labubu Base Box',
  nameZh: 'Labubu 经典盲盒',
  series: ['Labubu Collection'],
  priceCents: 4000,
  price: '$40.00',
  isNew: true,
}

const charizard: Item = {
  id: 'pkm-001',
  name: '1999 Pokemon Base Set #4 Charizard Holo PSA 9 MINT',
  series: 'Pokemon',
  rarity: 'Epic',
  grade: 9,
  certType: 'PSA',
  certNumber: '1000417733',
  baseValueCents: 12_345,
  imageUrl: '/media/items/pkm-001.svg',
}

export const pokemonDetail: PackDetail = {
  ...pokemon,
  topItem: charizard,
  odds: [
    { label: '$5-15', lowCents: 500, highCents: 1500, weight: 298, published: 0.298, chance: 0.2953 },
    { label: '$15-25', lowCents: 1500, highCents: 2500, weight: 392, published: 0.392, chance: 0.3885 },
    { label: '$25-50', lowCents: 2500, highCents: 5000, weight: 319, published: 0.319, chance: 0.3162 },
  ],
  showcase: [charizard],
  distribution: {
    buckets: [
      { lowCents: 500, highCents: 2500, chance: 0.6838 },
      { lowCents: 2500, highCents: 0, chance: 0.3162 },
    ],
    medianCents: 1890,
  },
}

export const labubuDetail: PackDetail = {
  ...labubu,
  distribution: pokemonDetail.distribution,
  odds: [{ label: 'secret rare', lowCents: 0, highCents: 0, weight: 300, published: 0.03, chance: 0.03 }],
  showcase: [
    {
      ...charizard,
      id: 'labubu-1',
      name: 'Labubu Have a Seat Secret Edition Midnight Blue',
      series: 'Labubu Collection',
      rarity: 'Grail',
      baseValueCents: 61_500,
    },
  ],
}

/** The cards of a pack, with their chances. */
export const packCards: CardChance[] = [
  { item: charizard, valueCents: 12_345, chance: 1 / 4300 },
  {
    item: { ...charizard, id: 'pkm-002', name: '1999 Pokemon Jungle #11 Snorlax Holo PSA 8 NM MT' },
    valueCents: 1890,
    chance: 1 - 1 / 4300,
  },
]

/** Recent opens of six users, the second without a name. */
export const activity: Activity[] = ['Ann', '', 'Ben', 'Cy', 'Di', 'Eve'].map((firstName, at) => ({
  id: `open-${at}`,
  user: { firstName },
  pack: { id: '2', name: 'Pokemon' },
  best: {
    id: `pkm-${at}`,
    imageUrl: '/media/items/pkm-1.svg',
    name: `Card ${at}`,
    series: 'Pokemon',
    rarity: 'Epic',
    valueCents: 12_345,
  },
  createdAt: '2026-01-02T03:04:05.678Z',
}))

const { certType, ...cardItem } = pokemonDetail.showcase[0]!

/** An entry in the vault. */
export function someEntry(id: string, more: Partial<InventoryEntry> = {}): InventoryEntry {
  return {
    id,
    forSale: false,
    salePriceCents: null,
    item: { ...cardItem, certification: certType },
    packName: 'Pokemon',
    acquiredAt: '2026-01-02T03:04:05.678Z',
    acquiredFrom: 'pack',
    vaulted: true,
    state: 'held',
    sellBackCents: 11_110,
    sellBackUntil: '2026-01-03T03:04:05.678Z',
    ...more,
  }
}

/** A deposit of 25 points that can be paid for an hour. */
export function someDeposit(more: Partial<DepositLife> = {}): DepositLife {
  return {
    depositId: 'd-1',
    provider: 'sandbox',
    chargeToken: 'charge-1',
    amountCents: 2500,
    solEstimate: '0.103950',
    solPriceUsd: 240.5,
    priceIsFallback: false,
    state: 'quoted',
    confirming: false,
    createdAt: '2026-01-02T03:04:05.678Z',
    expiresAt: new Date(Date.now() + 3_600_000).toISOString(),
    events: [{ state: 'quoted', reason: 'asked', by: 'house', at: '2026-01-02T03:04:05.678Z' }],
    ...more,
  }
}
