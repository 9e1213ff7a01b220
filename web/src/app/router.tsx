import type { QueryClient } from '@tanstack/react-query'
import {
  createRootRouteWithContext,
  createRoute,
  createRouter,
  lazyRouteComponent,
  type RouterHistory,
} from '@tanstack/react-router'
import { preload } from 'react-dom'
import { packQuery } from '@/api/packs'
import { packsQuery } from '@/api/packs'
import { drawsQuery } from '@/api/draws'
import type { DictionaryPart } from '@/i18n'
import { Crash } from './shell/crash'
import { Shell } from './shell/shell'

interface Context {
  queryClient: QueryClient
}

const root = createRootRouteWithContext<Context>()({
  component: Shell,
  notFoundComponent: lazyRouteComponent(() => import('./shell/not-found'), 'NotFound'),
})

const home = () => import('./routes/home')
// Data, and the covers that are a page's largest pictures, are asked for while the page's code is still on its
// way; the page itself shows what became of it.
const packsAhead = ({ context }: { context: Context }) => {
  void context.queryClient.prefetchQuery(packsQuery)
}
const storeAhead = ({ context }: { context: Context }) => {
  void context.queryClient.fetchQuery(packsQuery).then(
    (packs) => coversAhead(packs.slice(0, coversInSight)),
    () => {},
  )
}
/** Side by side with the page's code, and not after it. */
const packTexts = async () => (await import('@/features/catalogue/pack-page/texts')).packTexts.load()
const packAhead = ({ context, params }: { context: Context; params: { packId: string } }) => {
  void context.queryClient.fetchQuery(packQuery(params.packId)).then(
    (pack) => coversAhead([pack]),
    () => {},
  )
  return packTexts()
}
const coversInSight = 8
function coversAhead(packs: readonly { coverImageUrl: string }[]) {
  for (const { coverImageUrl } of packs) preload(coverImageUrl, { as: 'image', fetchPriority: 'high' })
}

const fairness = () => import('./routes/fairness')
const verify = () => import('./routes/verify')
const proof = () => import('./routes/proof')
/** A page with texts of its own is shown once they are here. */
const textsOf = async (page: () => Promise<{ texts: Pick<DictionaryPart<unknown>, 'load'> }>) => {
  await (await page()).texts.load()
}

const marketplace = () => import('./routes/marketplace')
const vault = () => import('./routes/vault')
const topup = () => import('./routes/topup')
const myOpens = () => import('./routes/my-opens')
const myCollection = () => import('./routes/my-collection')
const myCards = () => import('./routes/my-cards')
const leaderboard = () => import('./routes/leaderboard')
const roadmap = () => import('./routes/roadmap')
const labubus = () => import('./routes/labubus')
const admin = () => import('./routes/admin')
const checkout = () => import('./routes/checkout')

const routes = [
  createRoute({
    getParentRoute: () => root,
    path: '/',
    component: lazyRouteComponent(home, 'HomePage'),
    loader: packsAhead,
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/app',
    component: lazyRouteComponent(home, 'HomePage'),
    loader: packsAhead,
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/open-packs',
    component: lazyRouteComponent(() => import('./routes/open-packs'), 'OpenPacksPage'),
    loader: storeAhead,
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/pack/$packId',
    component: lazyRouteComponent(() => import('./routes/pack'), 'PackPage'),
    loader: packAhead,
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/topup',
    component: lazyRouteComponent(topup, 'TopUpPage'),
    loader: () => textsOf(topup),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/my-collection',
    component: lazyRouteComponent(myCollection, 'MyCollectionPage'),
    loader: () => textsOf(myCollection),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/my-opens',
    component: lazyRouteComponent(myOpens, 'MyOpensPage'),
    loader: () => textsOf(myOpens),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/marketplace',
    component: lazyRouteComponent(marketplace, 'MarketplacePage'),
    loader: () => textsOf(marketplace),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/vault',
    component: lazyRouteComponent(vault, 'VaultPage'),
    loader: () => textsOf(vault),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/my-cards',
    component: lazyRouteComponent(myCards, 'MyCardsPage'),
    loader: () => textsOf(myCards),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/leaderboard',
    component: lazyRouteComponent(leaderboard, 'LeaderboardPage'),
    loader: () => textsOf(leaderboard),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/roadmap',
    component: lazyRouteComponent(roadmap, 'RoadmapPage'),
    loader: () => textsOf(roadmap),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/labubus',
    component: lazyRouteComponent(labubus, 'LabubusPage'),
    loader: () => textsOf(labubus),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/admin',
    component: lazyRouteComponent(admin, 'AdminPage'),
    loader: () => textsOf(admin),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/checkout/$packId',
    component: lazyRouteComponent(checkout, 'CheckoutPage'),
    loader: () => textsOf(checkout),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/fairness',
    component: lazyRouteComponent(fairness, 'FairnessPage'),
    loader: ({ context }) => {
      void context.queryClient.prefetchQuery(drawsQuery)
      return textsOf(fairness)
    },
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/verify',
    component: lazyRouteComponent(verify, 'VerifyPage'),
    loader: () => textsOf(verify),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/verify/$openId',
    component: lazyRouteComponent(proof, 'ProofPage'),
    loader: () => textsOf(proof),
  }),
]

/** The app's pages. Tests hand in a history of their own; the browser's is the default. */
export function createAppRouter(queryClient: QueryClient, history?: RouterHistory) {
  return createRouter({
    routeTree: root.addChildren(routes),
    context: { queryClient },
    defaultPreload: 'intent',
    defaultErrorComponent: Crash,
    scrollRestoration: true,
    ...(history && { history }),
  })
}
