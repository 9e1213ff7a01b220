import type { QueryClient } from '@tanstack/react-query'
import { createMemoryHistory } from '@tanstack/react-router'
import { StrictMode } from 'react'
import { prerender } from 'react-dom/static'
import { createQueryClient } from '@/api/query-client'
import { App } from '@/app/app'
import { type Page, type PageName, pages } from '@/app/pages'
import { createAppRouter } from '@/app/router'
import { type Language, showLanguage } from '@/i18n'
import * as en from '@/i18n/texts/en'
import * as zh from '@/i18n/texts/zh'
import { config } from '@/lib/config'

/** A page before any data has loaded. */
export interface PrerenderedPage {
  name: PageName
  /** Its address, with `_` for a parameter. */
  path: string
  language: Language
  session: boolean
  html: string
  /** Its first calls, with `nameMark` for a parameter. */
  prefetched: readonly string[]
}

/** The server replaces it with the last part of the address. */
const nameMark = 'first-name'

/** A query client without timers, which would keep the build's process alive. */
function createTimelessClient(): QueryClient {
  const client = createQueryClient()
  const { queries } = client.getDefaultOptions()
  client.setDefaultOptions({ queries: { ...queries, gcTime: Number.POSITIVE_INFINITY } })
  return client
}

/** The calls that a page makes while its code loads, if they depend on its address only. */
async function prefetchedBy({ prefetch, path, search }: Page): Promise<string[]> {
  if (search) return []
  const calls: string[] = []
  globalThis.fetch = (request) => {
    calls.push((request as Request).url.slice(location.origin.length))
    return Promise.reject(new Error('there is no server'))
  }
  const names = [...path.matchAll(/\$(\w+)/g)].map(([, name = '']) => [name, nameMark])
  const queryClient = createTimelessClient()
  await prefetch?.(queryClient, Object.fromEntries(names), {}).catch(() => {})
  return calls
}

async function render(path: string, language: Language, session: boolean): Promise<string> {
  config.session = session
  globalThis.fetch = () => new Promise(() => {})
  await showLanguage(language)
  const queryClient = createTimelessClient()
  const router = createAppRouter(queryClient, createMemoryHistory({ initialEntries: [path] }))
  await router.load()
  // The same tree as in main.tsx.
  const { prelude } = await prerender(
    <StrictMode>
      <App queryClient={queryClient} router={router} />
    </StrictMode>,
    { progressiveChunkSize: Number.POSITIVE_INFINITY }, // in one piece
  )
  const page = document.createElement('div')
  page.innerHTML = await new Response(prelude).text()
  // React preloads pictures from the head, which is sent together with them.
  for (const preload of page.querySelectorAll('link[rel=preload]')) preload.remove()
  markOptionalParts(page, path, language)
  return page.innerHTML
}

/** Their content depends on the house rules. Pages are rendered with none. */
const pagesByRules: readonly string[] = [pages.rules.path, pages.marketplace.path]

/** Puts comments around the parts that the server removes if the installation doesn't have them. */
function markOptionalParts(page: Element, path: string, language: Language): void {
  const texts = { en, zh }[language].shell
  mark(page.querySelector(`section[aria-label="${texts.sandbox.label}"]`)!, 'sandbox')
  mark(page.querySelector(`nav a[href="${pages.marketplace.path}"]`)!.closest('li')!, 'market')
  for (const name of ['social', 'chat'] as const) {
    for (const link of page.querySelectorAll(`a[href="${config[name]}"]`)) mark(link, name)
  }
  for (const cover of page.querySelectorAll('img[src^=first-cover]')) mark(cover, cover.getAttribute('src')!.slice(6))
  for (const button of page.querySelectorAll('[data-optional=test-points]')) mark(button, 'test-points')
  if (pagesByRules.includes(path)) {
    const main = page.querySelector('main')!
    main.prepend(document.createComment('rules'))
    main.append(document.createComment('/rules'))
  }
}

function mark(part: Element, name: string): void {
  part.before(document.createComment(name))
  part.after(document.createComment(`/${name}`))
}

const table: { name: PageName; path: string; prefetched: string[] }[] = []
for (const [name, page] of Object.entries<Page>(pages) as [PageName, Page][]) {
  const entry = { name, path: page.path.replace(/\$\w+/, '_'), prefetched: await prefetchedBy(page) }
  table.push(entry, ...(name === 'home' ? [{ ...entry, path: '/' }] : []))
}

/** Every page in every form. The server sends them, so that a page is shown before its code has loaded. */
export const prerenderedPages: PrerenderedPage[] = []
// One by one, because language and configuration are global.
for (const page of table) {
  for (const language of ['en', 'zh'] as const) {
    for (const session of [false, true]) {
      prerenderedPages.push({ ...page, language, session, html: await render(page.path, language, session) })
    }
  }
}
