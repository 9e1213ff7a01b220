import { type QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { createMemoryHistory, RouterProvider } from '@tanstack/react-router'
import { StrictMode } from 'react'
import { renderToString } from 'react-dom/server'
import { createQueryClient } from '@/api/query-client'
import { type Language, showLanguage } from '@/i18n'
import { config } from '@/lib/config'
import { SessionContext } from '@/lib/session'
import { type Page, type PageName, pages } from '@/app/pages'
import { createAppRouter } from '@/app/router'
import { SandboxBanner } from '@/app/shell/sandbox-banner'

/** A page as it is before any data has come. */
export interface PrerenderedPage {
  name: PageName
  /** Its address, with `_` for what it names. */
  path: string
  language: Language
  session: boolean
  html: string
  /** What it asks the server for, with a mark for what it names. */
  prefetched: readonly string[]
}

/** The server puts in what the address names. */
const nameMark = 'first-name'

const signedOut = {
  status: 'signed-out' as const,
  user: null,
  address: null,
  frozen: false,
  connect() {},
  logout: () => Promise.resolve(),
  sign: () => Promise.reject(new Error('no wallet')),
  refresh: () => Promise.resolve(),
}

/** Kept until the build ends, and no timer longer. */
function cache(): QueryClient {
  const client = createQueryClient()
  const { queries } = client.getDefaultOptions()
  client.setDefaultOptions({ queries: { ...queries, gcTime: Number.POSITIVE_INFINITY } })
  return client
}

/** What a page asks for ahead of its code, where its address says all of it. */
async function prefetchedBy({ prefetch, path, search }: Page): Promise<string[]> {
  if (search) return []
  const asked: string[] = []
  globalThis.fetch = (request) => {
    asked.push((request as Request).url.slice(location.origin.length))
    return Promise.reject(new Error('there is no server yet'))
  }
  const names = [...path.matchAll(/\$(\w+)/g)].map(([, name = '']) => [name, nameMark])
  const queryClient = cache()
  await prefetch?.(queryClient, Object.fromEntries(names), {}).catch(() => {})
  return asked
}

async function render(path: string, language: Language, session: boolean): Promise<string> {
  config.session = session
  globalThis.fetch = () => new Promise(() => {})
  await showLanguage(language)
  const queryClient = cache()
  const router = createAppRouter(queryClient, createMemoryHistory({ initialEntries: [path] }))
  await router.load()
  const html = renderToString(
    <StrictMode>
      <QueryClientProvider client={queryClient}>
        <SessionContext value={session ? { ...signedOut, status: 'loading' } : signedOut}>
          <RouterProvider router={router} />
        </SessionContext>
      </QueryClientProvider>
    </StrictMode>,
  )
  return withMarkers(path, minified(html))
}

/** What each icon says, and a page that is sent need not: the styles say it once for all of them. */
const iconsOwn =
  / xmlns="[^"]*"(?= width="24")| fill="none" stroke="currentColor" stroke-width="2" stroke-linecap="round" stroke-linejoin="round"(?= class="lucide )|(?<= class="lucide)(?: lucide-[\w-]+)+/g

function minified(html: string): string {
  // A picture stands in the same answer as what would have it asked for ahead.
  return html.replace(/<(template|script).*?<\/\1>|<!--.*?-->|<link rel="preload".*?>/gs, '').replace(iconsOwn, '')
}

/** Drawn by the rules of a house without a profile. */
const byRules: readonly string[] = [pages.rules.path, pages.marketplace.path]

/** What the server takes out where the installation has none of it, or other rules. */
function withMarkers(path: string, html: string): string {
  const banner = minified(renderToString(<SandboxBanner />))
  const link = (name: 'social' | 'chat', page: string) =>
    page.replace(new RegExp(`<a href="${config[name]}".*?</a>`, 'gs'), `<!--${name}-->$&<!--/${name}-->`)
  const covered = html.replace(/<img[^>]* src="first-(cover-\w+)"[^>]*>/g, '<!--$1-->$&<!--/$1-->')
  const market = covered.replace(
    /<li>(?:(?!<\/li>).)*href="\/marketplace"(?:(?!<\/li>).)*<\/li>/s,
    '<!--market-->$&<!--/market-->',
  )
  const ruled = byRules.includes(path)
    ? market.replace(/(<main[^>]*>)(.*)(<\/main>)/s, '$1<!--rules-->$2<!--/rules-->$3')
    : market
  return link('social', link('chat', ruled.replace(banner, `<!--sandbox-->${banner}<!--/sandbox-->`)))
}

const table: { name: PageName; path: string; prefetched: string[] }[] = []
for (const [name, page] of Object.entries<Page>(pages) as [PageName, Page][]) {
  const entry = { name, path: page.path.replace(/\$\w+/, '_'), prefetched: await prefetchedBy(page) }
  table.push(entry, ...(name === 'home' ? [{ ...entry, path: '/' }] : []))
}

/** Every page in every form, for the build: the server sends them, so that a page is seen before its code is here. */
export const prerenderedPages: PrerenderedPage[] = []
// One after the other: what they say of themselves stands outside of React.
for (const page of table) {
  for (const language of ['en', 'zh'] as const) {
    for (const session of [false, true]) {
      prerenderedPages.push({ ...page, language, session, html: await render(page.path, language, session) })
    }
  }
}
