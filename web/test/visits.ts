import type { PageName } from '@/app/pages'

/** A page that tests and tools visit. */
export interface Visit {
  at: string
  /** CSS selector whose last match appears once all data has loaded, for a signed-out visitor. */
  ready?: string
  /** The same for a user who owns cards, only if that page looks different. */
  readyForOwner?: string
  /** Of the server's answer, if it isn't 200. */
  status?: number
}

/** The overlay of a page that requires signing in. */
export const gate = 'main h2:not([inert] *)'

/** A row of a pack's list of cards, the last part of its page to load. */
const packCards = 'main [aria-labelledby=all-cards] li'

/** Visits of every page, for tests and tools only. */
const visitsOf: Record<PageName, readonly Visit[]> = {
  home: [{ at: '/', ready: '[aria-labelledby=packs] article', readyForOwner: '[aria-labelledby=packs] article' }],
  packs: [{ at: '/open-packs', ready: 'main article', readyForOwner: 'main article' }],
  pack: [
    { at: '/pack/2', ready: packCards, readyForOwner: packCards },
    { at: '/pack/7', ready: packCards },
    { at: '/pack/8', ready: packCards },
    { at: '/pack/demo-pack-1', ready: packCards },
    { at: '/pack/999', ready: 'main a' },
  ],
  item: [
    { at: '/item/pkm-001', ready: 'main table' },
    { at: '/item/unknown', ready: 'main h1' },
  ],
  entry: [{ at: '/entry/unknown', ready: gate, readyForOwner: 'main h1' }],
  pull: [{ at: '/pull/unknown', ready: 'main h1', status: 404 }],
  profile: [{ at: '/u/unknown', ready: 'main h1', status: 404 }],
  vault: [
    { at: '/vault', ready: gate, readyForOwner: 'main article' },
    { at: '/vault?search=20&grade=1&minPrice=0&sortBy=name', readyForOwner: 'main input[inputmode=decimal]' },
    { at: '/vault?search=nosuchthing', readyForOwner: 'main h2' },
  ],
  topUp: [{ at: '/topup', ready: 'main h2', readyForOwner: 'main table' }],
  deposit: [{ at: '/deposit/unknown', ready: gate, readyForOwner: 'main h2' }],
  balance: [
    { at: '/balance', ready: gate, readyForOwner: 'main canvas' },
    { at: '/balance?kind=sell-back&from=2026-01-01', readyForOwner: 'main h2' },
  ],
  marketplace: [{ at: '/marketplace', ready: gate, readyForOwner: 'main article' }],
  sets: [
    { at: '/sets', ready: 'main article', readyForOwner: 'main article' },
    { at: '/sets?series=pokemon', readyForOwner: 'main article' },
  ],
  set: [
    // The Labubu Deluxe Collection: ids are derived from the names.
    { at: '/sets/06f56633a595be07e7e8d900ae5d2c63', ready: 'main article', readyForOwner: 'main article' },
    { at: '/sets/unknown', ready: 'main h1' },
  ],
  activity: [
    { at: '/activity', ready: 'main :is(h2, li:has(time))', readyForOwner: 'main :is(h2, li:has(time))' },
    { at: '/activity?kind=bid&series=pokemon', ready: 'main :is(h2, li:has(time))' },
  ],
  alerts: [{ at: '/alerts', ready: gate, readyForOwner: 'main :is(article, h2)' }],
  watchlist: [{ at: '/watchlist', ready: gate, readyForOwner: 'main h2' }],
  leaderboard: [{ at: '/leaderboard', ready: 'main h2', readyForOwner: 'main li:has(time)' }],
  rules: [{ at: '/rules', ready: 'main dl' }],
  help: [{ at: '/help', ready: 'main h2' }],
  limits: [{ at: '/limits', ready: gate, readyForOwner: 'main table' }],
  account: [{ at: '/account', ready: gate, readyForOwner: 'main dl' }],
  roadmap: [{ at: '/roadmap', ready: 'main article' }],
  labubus: [{ at: '/labubus', ready: 'main h1' }],
  fairness: [{ at: '/fairness', ready: 'main article' }],
  books: [{ at: '/books', ready: 'main article' }],
  verify: [{ at: '/verify', ready: 'main input[name=openId]' }],
  proof: [{ at: '/verify/unknown', ready: 'main h2' }],
  myCollection: [
    { at: '/my-collection', ready: gate, readyForOwner: 'main article' },
    { at: '/my-collection?tab=listed&search=nosuchthing', readyForOwner: 'main h2:not(.sr-only)' },
    { at: '/my-collection?view=value', readyForOwner: 'main summary' },
    { at: '/my-collection?view=sets', readyForOwner: 'main article' },
  ],
  myCards: [{ at: '/my-cards', ready: gate, readyForOwner: 'main article' }],
  orders: [{ at: '/orders', ready: gate, readyForOwner: 'main h2' }],
  myOpens: [{ at: '/my-opens', ready: gate, readyForOwner: 'main article' }],
  claims: [{ at: '/claims', ready: gate, readyForOwner: 'main h2' }],
  gifts: [
    { at: '/gifts', ready: gate, readyForOwner: 'main h3' },
    { at: '/gifts?side=given', readyForOwner: 'main h3' },
  ],
  gift: [
    { at: '/gift/unknown', ready: 'main h1', readyForOwner: 'main h1' },
    { at: `/gift/unknown#${'0'.repeat(32)}`, ready: 'main h1' },
  ],
  claim: [{ at: '/claim', ready: gate, readyForOwner: 'main h2' }],
  checkout: [
    { at: '/checkout/2', ready: 'main h1' },
    { at: '/checkout/999', ready: 'main h1' },
  ],
  admin: [{ at: '/admin', ready: 'main h1' }],
  adminUser: [{ at: '/admin/users/unknown', ready: 'main h1' }],
}

/** A path without a page. */
const unknownPage: Visit = { at: '/no-such-page', ready: 'main h1', status: 404 }

export const visits: readonly Visit[] = [...Object.values(visitsOf).flat(), unknownPage]
