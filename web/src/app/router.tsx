import type { QueryClient } from '@tanstack/react-query'
import {
  createRootRouteWithContext,
  createRoute,
  createRouter,
  lazyRouteComponent,
  type RouterHistory,
  stringifySearchWith,
} from '@tanstack/react-router'
import { type Page, pages } from './pages'
import { Crash } from './shell/crash'
import { Shell } from './shell/shell'

interface Context {
  queryClient: QueryClient
  /** Whether pages request their data while their code loads. */
  prefetches: boolean
}

const root = createRootRouteWithContext<Context>()({
  component: Shell,
  notFoundComponent: lazyRouteComponent(() => import('./shell/not-found'), 'NotFound'),
})

type Understands<Search> = (raw: Readonly<Record<string, unknown>>) => Search

function routeOf<const Path extends Page['path'], Search extends object>(
  page: Page & { path: Path; search?: Understands<Search> },
) {
  return createRoute({
    getParentRoute: () => root,
    path: page.path,
    component: page.component,
    // Pages without `search` keep the parameters unparsed.
    validateSearch: page.search as Understands<Search>,
    loader: ({ context, params, location }) => {
      if (context.prefetches) page.prefetch?.(context.queryClient, params, location.search).catch(() => {})
      return Promise.all((page.texts ?? []).map((texts) => texts.load()))
    },
  })
}

type Pages = typeof pages
type SearchOf<P> = P extends { search: Understands<infer Search extends object> } ? Search : object
type Routes = {
  [Name in keyof Pages]: ReturnType<typeof routeOf<Pages[Name]['path'], SearchOf<Pages[Name]>>>
}

// Object.entries loses which name has which path; restore the types.
const routes = Object.fromEntries(
  Object.entries<Page>(pages).map(([name, page]) => [name, routeOf(page)]),
) as unknown as Routes
/** The start page has two addresses. */
const start = routeOf({ ...pages.home, path: '/' })

/** The app's pages. Tests hand in a history of their own; the browser's is the default. */
export function createAppRouter(queryClient: QueryClient, history?: RouterHistory) {
  let rendered = false
  return createRouter({
    routeTree: root.addChildren({ start, ...routes }),
    context: { queryClient, prefetches: true },
    defaultPreload: 'intent',
    defaultErrorComponent: Crash,
    // The visitor may have scrolled the pre-rendered page before the router started: it stays there.
    scrollRestoration: () => {
      const keeps = !rendered && scrollY > 0
      rendered = true
      return !keeps
    },
    // Words that are digits stay as they are typed, and are no JSON with quotation marks.
    stringifySearch: stringifySearchWith(JSON.stringify),
    ...(history && { history }),
  })
}

export type AppRouter = ReturnType<typeof createAppRouter>

declare module '@tanstack/react-router' {
  interface Register {
    router: AppRouter
  }
}
