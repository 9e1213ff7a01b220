import type { QueryClient } from '@tanstack/react-query'
import { lazyRouteComponent, type RouteComponent } from '@tanstack/react-router'
import {
  ArrowLeftRight,
  CircleQuestionMark,
  CircleUser,
  Coins,
  FileSearch,
  GalleryVerticalEnd,
  Gauge,
  House,
  Library,
  List,
  type LucideIcon,
  Map,
  PackageOpen,
  Rabbit,
  Scale,
  ScrollText,
  ShieldUser,
  Store,
  Trophy,
  Truck,
  Vault,
  WalletCards,
} from 'lucide-react'
import { claimTexts } from '@/components/claim/texts'
import { depositsTexts } from '@/components/deposit/texts'
import { accountTexts } from '@/features/account/texts'
import { alertsTexts } from '@/features/alerts/texts'
import { rankingOf, rankingSearch } from '@/features/leaderboard/ranking'
import { bidsTexts } from '@/features/bids/texts'
import { leaderboardTexts } from '@/features/leaderboard/texts'
import { publicbooksTexts } from '@/features/publicbooks/texts'
import { sellbackTexts } from '@/features/sellback/texts'
import { storeSearch } from '@/features/store/store-search'
import { storeTexts } from '@/features/store/texts'
import { claimSearch } from '@/features/redemptions/claim-search'
import { redemptionsTexts } from '@/features/redemptions/texts'
import { collectionSearch } from '@/features/inventory/tabs'
import { inventoryTexts } from '@/features/inventory/texts'
import { setsTexts } from '@/features/sets/texts'
import { profilesTexts } from '@/features/profiles/texts'
import { proofsTexts } from '@/features/proofs/texts'
import { pullsTexts } from '@/features/pulls/texts'
import { itemTexts } from '@/features/item/texts'
import { walletTexts } from '@/features/wallet/texts'
import { topUpSearch } from '@/features/wallet/topup-search'
import { filterSearch } from '@/features/market/filter'
import { limitsTexts } from '@/features/limits/texts'
import { marketTexts } from '@/features/market/texts'
import { adminSearch } from '@/features/admin/tabs'
import { adminTexts } from '@/features/admin/texts'
import { userSearch } from '@/features/admin/user/tabs'
import { giftsSearch } from '@/features/gifts/gifts-search'
import { giftsTexts } from '@/features/gifts/texts'
import { helpTexts } from '@/features/help/texts'
import { houserulesTexts } from '@/features/houserules/texts'
import { activitySearch } from '@/features/activity/activity-search'
import { activityTexts } from '@/features/activity/texts'
import { config } from '@/lib/config'
import { routesTexts } from './routes/texts'

/** A page. Its code, texts and data load in parallel. */
export interface Page {
  path: `/${string}`
  component: RouteComponent
  /** The texts of everything the page imports (test/page-texts.test.ts). It renders once they are loaded. */
  texts?: readonly { load: () => Promise<unknown> }[]
  /** Requests data while the code loads; the page shows the result or the error. */
  prefetch?: (queryClient: QueryClient, params: Readonly<Record<string, string>>, search: object) => Promise<void>
  /** Parses the search parameters; others are dropped. */
  search?: (raw: Readonly<Record<string, unknown>>) => object
  /** Its place in the sidebar, in the table's order, and in the command palette. Its name there: `shell.nav`. */
  nav?: {
    group: 'groupMain' | 'groupExplore' | 'groupYours'
    icon: LucideIcon
    isNew?: true
    forAdmins?: true
    ofMarket?: true
  }
}

/** All pages, for router, sidebar and command palette. `test/visits.ts` lists addresses to test. */
export const pages = {
  home: {
    path: '/app',
    component: lazyRouteComponent(() => import('./routes/home'), 'HomePage'),
    texts: [storeTexts, leaderboardTexts, activityTexts],
    prefetch: async (queryClient) => (await import('./prefetch')).prefetchHome(queryClient),
    nav: { group: 'groupMain', icon: House },
  },
  packs: {
    path: '/open-packs',
    component: lazyRouteComponent(() => import('./routes/open-packs'), 'OpenPacksPage'),
    texts: [storeTexts],
    search: storeSearch,
    prefetch: async (queryClient) => (await import('./prefetch')).prefetchStore(queryClient),
    nav: { group: 'groupMain', icon: PackageOpen },
  },
  pack: {
    path: '/pack/$packId',
    component: lazyRouteComponent(() => import('./routes/pack'), 'PackPage'),
    texts: [storeTexts],
    prefetch: async (queryClient, { packId = '' }) => (await import('./prefetch')).prefetchPack(queryClient, packId),
  },
  item: {
    path: '/item/$itemId',
    component: lazyRouteComponent(() => import('./routes/item'), 'ItemPage'),
    texts: [itemTexts, alertsTexts, marketTexts],
    prefetch: async (queryClient, { itemId = '' }) => (await import('./prefetch')).prefetchItem(queryClient, itemId),
  },
  entry: {
    path: '/entry/$entryId',
    component: lazyRouteComponent(() => import('./routes/entry'), 'EntryPage'),
    texts: [itemTexts, marketTexts, inventoryTexts, redemptionsTexts, sellbackTexts],
  },
  pull: {
    path: '/pull/$openId',
    component: lazyRouteComponent(() => import('./routes/pull'), 'PullPage'),
    texts: [pullsTexts],
    prefetch: async (queryClient, { openId = '' }) => (await import('./prefetch')).prefetchPull(queryClient, openId),
  },
  profile: {
    path: '/u/$handle',
    component: lazyRouteComponent(() => import('./routes/profile'), 'ProfilePage'),
    texts: [profilesTexts],
    prefetch: async (queryClient, { handle = '' }) => (await import('./prefetch')).prefetchProfile(queryClient, handle),
  },
  vault: {
    path: '/vault',
    component: lazyRouteComponent(() => import('./routes/vault'), 'VaultPage'),
    texts: [inventoryTexts, marketTexts, redemptionsTexts, sellbackTexts],
    search: filterSearch,
    nav: { group: 'groupMain', icon: Vault },
  },
  topUp: {
    path: '/topup',
    component: lazyRouteComponent(() => import('./routes/topup'), 'TopUpPage'),
    texts: [walletTexts, limitsTexts],
    search: topUpSearch,
    nav: { group: 'groupMain', icon: Coins },
  },
  deposit: {
    path: '/deposit/$depositId',
    component: lazyRouteComponent(() => import('./routes/deposit'), 'DepositPage'),
    texts: [walletTexts, depositsTexts],
  },
  balance: {
    path: '/balance',
    component: lazyRouteComponent(() => import('./routes/balance'), 'BalancePage'),
    texts: [walletTexts],
  },
  marketplace: {
    path: '/marketplace',
    component: lazyRouteComponent(() => import('./routes/marketplace'), 'MarketplacePage'),
    texts: [marketTexts, alertsTexts],
    search: filterSearch,
    nav: { group: 'groupExplore', icon: Store, ofMarket: true },
  },
  sets: {
    path: '/sets',
    component: lazyRouteComponent(() => import('./routes/sets'), 'SetsPage'),
    texts: [setsTexts],
    nav: { group: 'groupExplore', icon: Library },
  },
  set: {
    path: '/sets/$setId',
    component: lazyRouteComponent(() => import('./routes/set'), 'SetPage'),
    texts: [setsTexts],
  },
  activity: {
    path: '/activity',
    component: lazyRouteComponent(() => import('./routes/activity'), 'ActivityPage'),
    texts: [activityTexts],
    search: activitySearch,
    nav: { group: 'groupExplore', icon: ArrowLeftRight },
  },
  alerts: {
    path: '/alerts',
    component: lazyRouteComponent(() => import('./routes/alerts'), 'AlertsPage'),
    texts: [alertsTexts],
  },
  watchlist: {
    path: '/watchlist',
    component: lazyRouteComponent(() => import('./routes/watchlist'), 'WatchlistPage'),
    texts: [alertsTexts],
  },
  leaderboard: {
    path: '/leaderboard',
    component: lazyRouteComponent(() => import('./routes/leaderboard'), 'LeaderboardPage'),
    texts: [leaderboardTexts],
    search: rankingSearch,
    prefetch: async (queryClient, _, search) =>
      (await import('./prefetch')).prefetchLeaderboard(queryClient, rankingOf(search)),
    nav: { group: 'groupExplore', icon: Trophy },
  },
  rules: {
    path: '/rules',
    component: lazyRouteComponent(() => import('./routes/rules'), 'RulesPage'),
    texts: [houserulesTexts],
  },
  roadmap: {
    path: '/roadmap',
    component: lazyRouteComponent(() => import('./routes/roadmap'), 'RoadmapPage'),
    texts: [routesTexts],
    nav: { group: 'groupExplore', icon: Map },
  },
  labubus: {
    path: '/labubus',
    component: lazyRouteComponent(() => import('./routes/labubus'), 'LabubusPage'),
    texts: [routesTexts],
    nav: { group: 'groupExplore', icon: Rabbit, isNew: true },
  },
  fairness: {
    path: '/fairness',
    component: lazyRouteComponent(() => import('./routes/fairness'), 'FairnessPage'),
    texts: [proofsTexts],
    prefetch: async (queryClient) => (await import('./prefetch')).prefetchDraws(queryClient),
    nav: { group: 'groupExplore', icon: Scale },
  },
  books: {
    path: '/books',
    component: lazyRouteComponent(() => import('./routes/books'), 'BooksPage'),
    texts: [publicbooksTexts, proofsTexts],
  },
  verify: {
    path: '/verify',
    component: lazyRouteComponent(() => import('./routes/verify'), 'VerifyPage'),
    texts: [proofsTexts],
    nav: { group: 'groupExplore', icon: FileSearch },
  },
  help: {
    path: '/help',
    component: lazyRouteComponent(() => import('./routes/help'), 'HelpPage'),
    texts: [helpTexts],
    nav: { group: 'groupExplore', icon: CircleQuestionMark },
  },
  proof: {
    path: '/verify/$openId',
    component: lazyRouteComponent(() => import('./routes/proof'), 'ProofPage'),
    texts: [proofsTexts],
  },
  myCollection: {
    path: '/my-collection',
    component: lazyRouteComponent(() => import('./routes/my-collection'), 'MyCollectionPage'),
    texts: [inventoryTexts, marketTexts, sellbackTexts],
    search: (raw) => ({ ...filterSearch(raw), ...collectionSearch(raw) }),
    nav: { group: 'groupYours', icon: GalleryVerticalEnd },
  },
  myCards: {
    path: '/my-cards',
    component: lazyRouteComponent(() => import('./routes/my-cards'), 'MyCardsPage'),
    texts: [inventoryTexts, marketTexts, sellbackTexts],
    nav: { group: 'groupYours', icon: WalletCards },
  },
  orders: {
    path: '/orders',
    component: lazyRouteComponent(() => import('./routes/orders'), 'OrdersPage'),
    texts: [bidsTexts, walletTexts],
    nav: { group: 'groupYours', icon: List },
  },
  myOpens: {
    path: '/my-opens',
    component: lazyRouteComponent(() => import('./routes/my-opens'), 'MyOpensPage'),
    texts: [inventoryTexts],
    nav: { group: 'groupYours', icon: ScrollText },
  },
  claims: {
    path: '/claims',
    component: lazyRouteComponent(() => import('./routes/claims'), 'ClaimsPage'),
    texts: [redemptionsTexts, claimTexts],
    nav: { group: 'groupYours', icon: Truck },
  },
  gifts: {
    path: '/gifts',
    component: lazyRouteComponent(() => import('./routes/gifts'), 'GiftsPage'),
    texts: [giftsTexts],
    search: giftsSearch,
  },
  gift: {
    path: '/gift/$giftId',
    component: lazyRouteComponent(() => import('./routes/gift'), 'GiftPage'),
    texts: [giftsTexts],
  },
  limits: {
    path: '/limits',
    component: lazyRouteComponent(() => import('./routes/limits'), 'LimitsPage'),
    texts: [limitsTexts],
    nav: { group: 'groupYours', icon: Gauge },
  },
  account: {
    path: '/account',
    component: lazyRouteComponent(() => import('./routes/account'), 'AccountPage'),
    texts: [accountTexts],
    nav: { group: 'groupYours', icon: CircleUser },
  },
  claim: {
    path: '/claim',
    component: lazyRouteComponent(() => import('./routes/claim'), 'ClaimPage'),
    texts: [redemptionsTexts],
    search: claimSearch,
  },
  checkout: {
    path: '/checkout/$packId',
    component: lazyRouteComponent(() => import('./routes/checkout'), 'CheckoutPage'),
    texts: [routesTexts],
  },
  admin: {
    path: '/admin',
    component: lazyRouteComponent(() => import('./routes/admin'), 'AdminPage'),
    texts: [adminTexts],
    search: adminSearch,
    nav: { group: 'groupYours', icon: ShieldUser, forAdmins: true },
  },
  // Not prefetched: the admin log records who opened a user's page.
  adminUser: {
    path: '/admin/users/$userId',
    component: lazyRouteComponent(() => import('./routes/admin-user'), 'AdminUserPage'),
    texts: [adminTexts],
    search: userSearch,
  },
} as const satisfies Record<string, Page>

type Pages = typeof pages

export type PageName = keyof Pages

/** The pages one can go to without naming a thing. */
export type NavPageName = { [Name in keyof Pages]: Pages[Name] extends { nav: object } ? Name : never }[keyof Pages]
type NavPage = Page & { path: Pages[NavPageName]['path']; nav: NonNullable<Page['nav']> }

const isNavPage = (entry: [string, Page]): entry is [NavPageName, NavPage] => entry[1].nav !== undefined

/** Pages of the sidebar, in this order. Admin pages only for admins, market pages only if there is a market. */
export function navPagesFor(isAdmin: boolean): [NavPageName, NavPage][] {
  return Object.entries<Page>(pages)
    .filter(isNavPage)
    .filter(([, { nav }]) => isAdmin || !nav.forAdmins)
    .filter(([, { nav }]) => config.rules.market || !nav.ofMarket)
}
