import type { Page } from '@playwright/test'
import { item as itemTexts } from '../src/features/item/texts/en'
import * as zh from '../src/i18n/texts/zh'
import { collection } from '../src/features/inventory/texts/zh'
import { alerts } from '../src/features/alerts/texts/zh'
import { leaderboard as board } from '../src/features/leaderboard/texts/en'
import { selling, trade } from '../src/features/market/texts/zh'
import { activity } from '../src/features/activity/texts/en'
import type { InventoryEntry } from '../src/contract/types'
import { dollars, points } from '../src/lib/format'
import { listForSale, getJson } from './support/api'
import { openWithFeed, livePulls } from './support/feed'
import { buyButton } from './support/market'
import { expect, test } from './support/server'
import { signInWithPoints, newVisitor } from './support/sign-in'
import { openIntro, skipToResults, startButton } from './support/opening-dialog'

// Long journeys with several visitors.
test.describe.configure({ timeout: 180_000 })

/** Signs in a user with one Pokemon card and this many points. */
async function signInWithCard(page: Page, left = 25): Promise<InventoryEntry> {
  await signInWithPoints(page, left + 25)
  return pull(page)
}

/** Opens a pack through the API. Returns the newest card. */
async function pull(page: Page): Promise<InventoryEntry> {
  await expect(await page.request.post('/api/packs/2/open', { data: { clientSeed: 'live' } })).toBeOK()
  const [entry] = await getJson<InventoryEntry[]>(page, '/api/inventory/me')
  return entry!
}

const buy = (page: Page, inventoryId: string) => page.request.post('/api/marketplace/buy', { data: { inventoryId } })
const balance = (page: Page, cents: number) =>
  page.getByRole('link', { name: points(cents), exact: false }).and(page.locator('a[href="/balance"]'))

test.describe('in Chinese', () => {
  test.use({ locale: 'zh-CN' })

  test('another visitor sees a listing appear and sell, and the seller’s balance changes', async ({
    page,
    browser,
    server,
  }) => {
    const { item } = await signInWithCard(page)
    const price = item.baseValueCents + 57
    const dollar = Math.floor(price / 100)
    const watcher = await newVisitor(browser, server.url, 'zh-CN')
    await signInWithPoints(watcher, 1000)
    await openWithFeed(watcher, `/marketplace?series=pokemon&minPrice=${dollar}&maxPrice=${dollar + 1}`)
    const card = watcher.getByRole('article').filter({ hasText: points(price) })
    await expect(card).toHaveCount(0)

    await openWithFeed(page, '/my-collection')
    await page.getByRole('button', { name: trade.sellItem(item.name) }).click()
    const dialog = page.getByRole('dialog', { name: trade.sell })
    await dialog.getByRole('textbox', { name: selling.price }).fill(String(price / 100))
    await dialog.getByRole('button', { name: selling.confirm }).click()

    await watcher.getByRole('button', { name: zh.shell.fresh('1') }).click()
    await expect(buyButton(card, trade, price, item.name)).toBeEnabled()
    const before = await card.boundingBox()

    const buyer = await newVisitor(browser, server.url, 'zh-CN')
    await signInWithPoints(buyer, 1000)
    const [own] = await getJson<InventoryEntry[]>(page, '/api/inventory/me')
    await expect(await buy(buyer, own!.id)).toBeOK()
    await expect(card.getByRole('button', { name: trade.gone.sold })).toBeDisabled()
    expect(await card.boundingBox()).toEqual(before)

    const { balanceCents } = await getJson<{ balanceCents: number }>(page, '/api/wallet')
    expect(balanceCents).toBeGreaterThan(2500)
    await expect(balance(page, balanceCents)).toBeVisible()
    await expect(page.getByRole('heading', { name: collection.emptyTitle })).toBeVisible()
    await page.getByRole('link', { name: alerts.unread('1') }).click()
    await expect(page.getByRole('article').filter({ hasText: alerts.sold(dollars(price)) })).toContainText(item.name)
    await watcher.context().close()
    await buyer.context().close()
  })
})

test('a price updates in place, and a delisted card says so', async ({ page, browser, server }) => {
  const { id, item } = await signInWithCard(page)
  await listForSale(page, id, 3111)
  const watcher = await newVisitor(browser, server.url, 'en-US')
  await signInWithPoints(watcher, 100)
  await openWithFeed(watcher, `/item/${item.id}`)
  const listings = watcher.getByRole('region', { name: itemTexts.listings.title })
  const row = (price: number) => listings.getByRole('row').filter({ hasText: dollars(price) })
  await expect(row(3111)).toBeVisible()
  const reprice = { inventoryId: id, priceCents: 3222, confirmedCents: 3222 }
  await expect(await page.request.post('/api/marketplace/reprice', { data: reprice })).toBeOK()
  await expect(row(3222)).toBeVisible()
  await expect(await page.request.post('/api/marketplace/delist', { data: { inventoryId: id } })).toBeOK()
  await expect(listings.getByRole('cell', { name: itemTexts.listings.gone.withdrawn })).toBeVisible()
  await watcher.context().close()
})

test('an open in one tab updates balance and collection in the other', async ({ page, context }) => {
  await signInWithPoints(page, 100)
  const tab = await context.newPage()
  await openWithFeed(tab, '/my-collection')
  await expect(balance(tab, 10_000)).toBeVisible()
  const cards = tab.getByRole('main').getByRole('article')
  await expect(cards).toHaveCount(0)
  await openIntro(page)
  await startButton(page).click()
  await skipToResults(page)
  await expect(balance(tab, 7500)).toBeVisible()
  await expect(cards).toHaveCount(1)
})

test.describe('live updates', () => {
  test.use({ contextOptions: { reducedMotion: 'no-preference' } })

  test('show others’ pulls and sales on the start page until paused', async ({ page, browser, server }) => {
    await openWithFeed(page, '/')
    const other = await newVisitor(browser, server.url, 'en-US')
    const still = await newVisitor(browser, server.url, 'en-US')
    await still.emulateMedia({ reducedMotion: 'reduce' })
    await openWithFeed(still, '/')
    await expect(livePulls(still).getByRole('button', { name: board.play })).toBeVisible()

    const entry = await signInWithCard(other, 100)
    const link = (on: Page) =>
      livePulls(on).locator(`a[href="/item/${entry.item.id}"]`).filter({ hasText: entry.item.name })
    await expect(link(page).first()).toBeVisible()
    const live = page.getByRole('region', { name: board.live })
    await expect(live.getByRole('article').filter({ hasText: entry.item.name }).first()).toBeVisible()

    await listForSale(other, entry.id, 1234)
    await signInWithPoints(still, 100)
    await expect(await buy(still, entry.id)).toBeOK()
    const sales = page.getByRole('region', { name: activity.lastSales })
    await expect(sales.getByRole('listitem').filter({ hasText: '$12.34' })).toBeVisible()

    await livePulls(page).getByRole('button', { name: board.pause }).click()
    await page.reload()
    await expect(livePulls(page).getByRole('button', { name: board.play })).toBeVisible()
    const shown = await livePulls(page).getByRole('link').allTextContents()
    const stood = await livePulls(still).getByRole('link').allTextContents()
    await pull(other)
    // Another page, which isn't paused, shows it, so all tabs have received the event.
    const witness = await newVisitor(browser, server.url, 'en-US')
    await openWithFeed(witness, '/')
    const last = await pull(other)
    await expect(livePulls(witness).getByRole('link').filter({ hasText: last.item.name }).first()).toBeVisible()
    expect(await livePulls(page).getByRole('link').allTextContents()).toEqual(shown)
    expect(await livePulls(still).getByRole('link').allTextContents()).toEqual(stood)
    for (const { context } of [other, still, witness].map((one) => ({ context: one.context() }))) await context.close()
  })

  test('share one stream between two tabs, and the second continues where the first stopped', async ({
    page,
    context,
    browser,
    server,
  }) => {
    const feedRequests: string[] = []
    context.on('request', (request) => request.url().includes('/api/feed') && feedRequests.push(request.url()))
    await openWithFeed(page, '/roadmap')
    const tab = await context.newPage()
    await tab.goto('/roadmap')
    await expect(livePulls(tab)).toBeVisible()
    const other = await newVisitor(browser, server.url, 'en-US')
    await signInWithPoints(other, 200)
    const first = await pull(other)
    const shows = (name: string) => livePulls(tab).getByRole('link').filter({ hasText: name }).first()
    await expect(shows(first.item.name)).toBeVisible()
    expect(feedRequests).toHaveLength(1)
    await Promise.all([tab.waitForResponse('**/api/feed*'), page.close()])
    const then = await pull(other)
    await expect(shows(then.item.name)).toBeVisible()
    expect(feedRequests).toHaveLength(2)
    expect(feedRequests[1]).toMatch(/lastEventId=\d+$/)
    await other.context().close()
  })
})
