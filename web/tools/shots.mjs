// Takes screenshots of every route, signed out and signed in, in both themes and languages, for review: `make shots`.
// Flags narrow the selection, for example `node tools/shots.mjs --theme light --language zh --path /vault --width 1440`.
import { execFileSync } from 'node:child_process'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { runnerImport } from 'vite'
import { newUserPage, openPacks, post, screenshot, visit, withBrowser, withProgram } from './program.mjs'

const { values: wanted } = parseArgs({
  options: {
    theme: { type: 'string' },
    language: { type: 'string' },
    path: { type: 'string' },
    width: { type: 'string' },
    visitor: { type: 'string' },
  },
})
const only = (value, all) => (value ? [value] : all)
// Signed out, only pages that visitors can see.
const { module: app } = await runnerImport('test/visits.ts', { configFile: false })
const pathsOf = {
  out: app.visits.filter(({ ready }) => ready).map(({ at }) => at),
  in: app.visits.map(({ at }) => at),
  admin: ['/admin'],
}
const sizes = { 768: 1024, 1280: 800, 1440: 900, 1920: 1080 }
const folder = 'shots'

await mkdir(folder, { recursive: true })
await withProgram(['--rate-limits', 'off'], (baseURL, data) =>
  withBrowser(async (browser) => {
    for (const [place, name] of ['阿豪', 'CardHunter', '', 'Lin', 'slabs & co', '小雨'].entries())
      await otherUser(browser, baseURL, name, place)
    const visitors = {
      out: undefined,
      in: await member(browser, baseURL),
      admin: await admin(browser, baseURL, data),
    }
    for (const theme of only(wanted.theme, ['dark', 'light'])) {
      for (const language of only(wanted.language, ['en', 'zh'])) {
        for (const visitor of only(wanted.visitor, Object.keys(visitors))) {
          await captureAll(browser, { baseURL, theme, language, visitor, state: visitors[visitor] })
        }
      }
    }
  }),
)

/** Creates a user with points and pulls, some of them in the vault. Returns their cookies and local storage. */
async function member(browser, baseURL) {
  const page = await newUserPage(browser, baseURL, 2000)
  await page.request.patch('/api/auth/user', { data: { firstName: 'Mei' } })
  for (const pack of ['2', '7', '1', '3', '8', 'demo-pack-1']) await openPacks(page, pack, 1)
  const entries = await (await page.request.get('/api/inventory/me')).json()
  for (const { id } of entries.slice(0, 2))
    await post(page, '/api/marketplace/list', { inventoryId: id, priceCents: 12_345, confirmedCents: 12_345 })
  const listed = await (await page.request.get('/api/marketplace')).json()
  for (const { item, salePriceCents, own } of listed)
    if (!own) await page.request.post('/api/watchlist', { data: { itemId: item.id, belowCents: salePriceCents + 500 } })
  for (const { id, salePriceCents } of listed.filter(({ own }) => !own).slice(-2))
    await post(page, '/api/marketplace/buy', { inventoryId: id, expectedPriceCents: salePriceCents })
  await page.request.post('/api/watchlist', { data: { itemId: 'pkm-001' } })
  for (const data of [
    { name: 'PSA 9+', query: 'certification=PSA&grade=9', alert: true },
    { name: '便宜的宝可梦', query: 'series=pokemon&maxPrice=50', alert: false },
  ])
    await page.request.post('/api/saved-searches', { data })
  for (const { id } of entries.slice(3)) await post(page, '/api/inventory/vault', { inventoryId: id })
  return closeWithState(page)
}

/** Creates another user with opens and a listing, so that lists aren't empty. */
async function otherUser(browser, baseURL, firstName, place) {
  const page = await newUserPage(browser, baseURL, 1000)
  if (firstName) await page.request.patch('/api/auth/user', { data: { firstName } })
  await openPacks(page, ['2', '3', '6', '7'][place % 4], 2 * place + 1)
  const [entry] = await (await page.request.get('/api/inventory/me')).json()
  const priceCents = entry.item.baseValueCents + 250 * place - 300
  await post(page, '/api/marketplace/list', { inventoryId: entry.id, priceCents, confirmedCents: priceCents })
  await page.context().close()
}

/** Creates an admin. Returns their cookies and local storage. */
async function admin(browser, baseURL, data) {
  const page = await newUserPage(browser, baseURL, 0)
  const { walletAddress } = await (await page.request.get('/api/auth/user')).json()
  execFileSync('../bin/kaibao', ['admin', 'grant', walletAddress, '--data', data], {
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  return closeWithState(page)
}

async function closeWithState(page) {
  const state = await page.context().storageState()
  await page.context().close()
  return state
}

async function captureAll(browser, { baseURL, theme, language, visitor, state }) {
  const context = await browser.newContext({
    baseURL,
    reducedMotion: 'reduce',
    ...(state && { storageState: state }),
  })
  await context.addInitScript(
    ([shown, spoken]) => {
      localStorage.setItem('theme', shown)
      localStorage.setItem('language', spoken)
    },
    [theme, language],
  )
  const page = await context.newPage()
  // All widths in one theme and language; only the default width in the others.
  const widths = theme === 'dark' && language === 'en' ? Object.keys(sizes) : ['1440']
  for (const width of only(wanted.width, widths)) {
    await page.setViewportSize({ width: Number(width), height: sizes[width] ?? 900 })
    for (const path of only(wanted.path, pathsOf[visitor])) {
      await visit(page, path)
      const name = path === '/' ? 'home' : path.slice(1).replaceAll(/[^\w-]+/g, '-')
      await screenshot(page, {
        path: join(folder, `${name}-${theme}-${language}-${visitor}-${width}.png`),
        fullPage: width === '1440',
      })
    }
  }
  await context.close()
}
