import type { Browser, Page } from '@playwright/test'
import * as en from '../src/i18n/texts/en'
import * as zh from '../src/i18n/texts/zh'
import { bids as bidsEn } from '../src/features/bids/texts/en'
import { bids as bidsZh } from '../src/features/bids/texts/zh'
import { sellBack } from '../src/features/sellback/texts/en'
import { balance as ledgerEn } from '../src/features/wallet/texts/en'
import type { Bid, InventoryEntry, OrderBook } from '../src/contract/types'
import { dollars, points } from '../src/lib/format'
import { getJson } from './support/api'
import { blockFeed } from './support/feed'
import { expect, test } from './support/server'
import { signInWithPoints } from './support/sign-in'

// Bids by criteria would buy other journeys' listings.
test.use({ ownServer: 'bids' })

interface Wallet {
  balanceCents: number
  heldCents: number
}

const wallet = (page: Page) => getJson<Wallet>(page, '/api/wallet')
const inventory = (page: Page) => getJson<InventoryEntry[]>(page, '/api/inventory/me')
const bids = (page: Page, state: 'open' | 'ended') => getJson<Bid[]>(page, `/api/bids?state=${state}`)

/** Signs in a user with one Pokemon card and $25. */
async function signInWithCard(page: Page): Promise<InventoryEntry> {
  await signInWithPoints(page, 50)
  await expect(await page.request.post('/api/packs/2/open', { data: { clientSeed: 'bids' } })).toBeOK()
  const [entry] = await inventory(page)
  if (!entry) throw new Error('nothing pulled')
  return entry
}

/** Opens a page for another user with $1,000 in a new browser context. */
async function newBidder(browser: Browser, baseURL: string, locale = 'en-US'): Promise<Page> {
  const context = await browser.newContext({ baseURL, locale })
  const page = await context.newPage()
  await signInWithPoints(page, 1000)
  return page
}

const notices = (page: Page, { shell }: typeof en = en) =>
  page.getByRole('region', { name: shell.notifications, includeHidden: true })

/** Below the value of every card, so that no bid needs confirmation or matches a listing. */
const low = 100
/** A seller's proceeds from a bid. */
const afterFee = (cents: number) => cents - Math.round((cents * 2) / 100)

/** Places a bid at a fixed price in the dialog, and confirms a price far from the value. */
async function send(page: Page, cents: number, { form: t } = bidsEn) {
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('textbox', { name: t.priceCents }).fill((cents / 100).toFixed(2))
  await dialog.getByRole('button', { name: t.send(dollars(cents)) }).click()
  return dialog
}

test.describe('in Chinese', () => {
  test.use({ locale: 'zh-CN' })

  test('a bid for an item is placed, outbid, raised with one click, and withdrawn', async ({
    page,
    browser,
    server,
  }) => {
    const [t, shown] = [bidsZh, zh]
    await signInWithPoints(page, 1000)
    await page.goto('/item/pkm-001')
    const region = page.getByRole('region', { name: t.book.title })
    await region.getByRole('button', { name: t.bid }).click()
    await send(page, low, t)
    await expect(notices(page, shown)).toContainText(t.form.placed + t.form.placedText(points(low)))
    await expect(region.getByRole('table', { name: t.book.bids })).toContainText(dollars(low))
    await expect(region.getByRole('region', { name: t.mine })).toContainText(dollars(low))
    expect(await wallet(page)).toMatchObject({ balanceCents: 100_000 - low, heldCents: low })

    const rival = await newBidder(browser, server.url)
    const data = { scope: { itemId: 'pkm-001' }, priceCents: low + 50 }
    await expect(await rival.request.post('/api/bids', { data })).toBeOK()
    await page.goto('/orders')
    await expect(page.getByText(t.order.outbid(dollars(low + 50)))).toBeVisible()
    await page.getByRole('button', { name: t.order.raise(dollars(low + 55)) }).click()
    await expect(notices(page, shown)).toContainText(t.order.raised)
    await expect(page.getByText(t.order.outbid(dollars(low + 50)))).toHaveCount(0)
    expect((await bids(page, 'open'))[0]).toMatchObject({ priceCents: low + 55, left: 1, heldCents: low + 55 })
    const book = await getJson<OrderBook>(page, '/api/items/pkm-001/book')
    expect(book.bids.slice(0, 2)).toEqual([
      { priceCents: low + 55, count: 1 },
      { priceCents: low + 50, count: 1 },
    ])

    await page.getByRole('region', { name: t.orders.open }).getByRole('button', { name: /^撤回/ }).click()
    await expect(notices(page, shown)).toContainText(t.order.withdrawnText(points(low + 55)))
    const past = page.getByRole('region', { name: t.orders.past })
    await expect(past).toContainText(t.order.states.withdrawn)
    expect(await wallet(page)).toMatchObject({ balanceCents: 100_000, heldCents: 0 })
    await rival.context().close()
  })

  test('an owner makes a counter-offer, and the bidder accepts it', async ({ page, browser, server }) => {
    const [t, shown] = [bidsZh, zh]
    const { id, item } = await signInWithCard(page)
    const bidder = await newBidder(browser, server.url, 'zh-CN')
    await bidder.goto(`/entry/${id}`)
    await bidder.getByRole('button', { name: t.bidForThis }).click()
    await send(bidder, low, t)
    await expect(notices(bidder, shown)).toContainText(t.form.placed)

    await page.goto(`/entry/${id}`)
    const region = page.getByRole('region', { name: t.own.title })
    await region.getByRole('button', { name: t.own.counterTo(dollars(low)) }).click()
    const dialog = page.getByRole('dialog', { name: t.own.counterTitle })
    const price = item.baseValueCents + 100
    await dialog.getByRole('textbox').fill((price / 100).toFixed(2))
    await dialog.getByRole('button', { name: t.own.counterSend(dollars(price)) }).click()
    await expect(notices(page, shown)).toContainText(t.own.countered)
    await expect(region.getByRole('row').filter({ hasText: dollars(low) })).toContainText(dollars(price))

    await bidder.goto('/orders')
    await bidder.getByRole('button', { name: t.order.acceptOf(dollars(price), item.name) }).click()
    await expect(notices(bidder, shown)).toContainText(t.order.accepted)
    await expect(bidder.getByRole('region', { name: t.orders.past })).toContainText(t.order.states.filled)
    expect((await inventory(bidder))[0]).toMatchObject({ id, acquiredFrom: 'offer' })
    expect(await wallet(bidder)).toMatchObject({ balanceCents: 100_000 - price, heldCents: 0 })
    expect(await inventory(page)).toEqual([])
    await bidder.context().close()
  })
})

test('a bid at the price of a listing buys it at once', async ({ page, browser, server }) => {
  const { id, item } = await signInWithCard(page)
  const price = Math.ceil(item.baseValueCents / 500) * 500
  const data = { inventoryId: id, priceCents: price }
  await expect(await page.request.post('/api/marketplace/list', { data })).toBeOK()
  const bidder = await newBidder(browser, server.url)
  await bidder.goto(`/entry/${id}`)
  await bidder.getByRole('button', { name: bidsEn.bidForThis }).click()
  const dialog = bidder.getByRole('dialog', { name: bidsEn.form.title })
  await dialog.getByRole('textbox', { name: bidsEn.form.priceCents }).fill(String(price / 100))
  await expect(dialog).toContainText(bidsEn.form.fillsText(1, dollars(price)))
  await dialog.getByRole('button', { name: bidsEn.form.send(dollars(price)) }).click()
  await expect(notices(bidder)).toContainText(bidsEn.form.bought(1) + bidsEn.form.boughtText(points(price)))
  expect((await inventory(bidder)).map((entry) => entry.id)).toEqual([id])
  expect(await wallet(bidder)).toMatchObject({ balanceCents: 100_000 - price, heldCents: 0 })
  expect((await bids(bidder, 'ended'))[0]).toMatchObject({ state: 'filled', left: 0 })
  await bidder.context().close()
})

test('an owner sells to the best bid after seeing that Kaibao pays more and that there is a better bid', async ({
  page,
  browser,
  server,
}) => {
  const { id, item, sellBackCents } = await signInWithCard(page)
  const bidder = await newBidder(browser, server.url)
  const place = (who: Page, scope: object, priceCents: number) =>
    who.request.post('/api/bids', { data: { scope, priceCents, confirmedCents: priceCents } })
  await expect(await place(bidder, { inventoryId: id }, low)).toBeOK()
  await blockFeed(page)
  await page.goto(`/entry/${id}`)
  const region = page.getByRole('region', { name: bidsEn.own.title })
  await region.getByRole('button', { name: bidsEn.own.sell(dollars(afterFee(low))) }).click()
  const dialog = page.getByRole('dialog', { name: bidsEn.own.sellTitle })

  await expect(dialog.getByRole('alert')).toHaveText(bidsEn.own.below(dollars(sellBackCents)))
  await dialog.getByRole('button', { name: bidsEn.own.quickSell(dollars(sellBackCents)) }).click()
  const quick = page.getByRole('dialog', { name: sellBack.title(1) })
  await expect(quick.getByRole('button', { name: sellBack.confirm(dollars(sellBackCents)) })).toBeEnabled()
  await page.keyboard.press('Escape')
  await region.getByRole('button', { name: bidsEn.own.sell(dollars(afterFee(low))) }).click()

  const rival = await newBidder(browser, server.url)
  await expect(await place(rival, { itemId: item.id }, low + 50)).toBeOK()
  await dialog.getByRole('button', { name: bidsEn.own.anyway(dollars(afterFee(low))) }).click()
  await expect(dialog.getByRole('alert')).toContainText(bidsEn.own.better(dollars(low + 50)))
  expect(await inventory(page)).toHaveLength(1)

  await dialog.getByRole('button', { name: bidsEn.own.anyway(dollars(afterFee(low + 50))) }).click()
  await expect(notices(page)).toContainText(bidsEn.own.sold)
  expect(await inventory(page)).toEqual([])
  expect((await wallet(page)).balanceCents).toBe(2500 + afterFee(low + 50))
  expect((await inventory(rival)).map((entry) => entry.id)).toEqual([id])
  expect(await wallet(rival)).toMatchObject({ balanceCents: 100_000 - low - 50, heldCents: 0 })
  await rival.context().close()
  await bidder.context().close()
})

test('a bid by criteria far above the value needs confirmation, and its hold is shown next to the balance', async ({
  page,
}) => {
  await signInWithPoints(page, 1000)
  await page.goto('/marketplace?certification=PSA')
  await page.getByRole('button', { name: bidsEn.criteria.button }).click()
  const dialog = page.getByRole('dialog', { name: bidsEn.criteria.title })
  await expect(dialog.getByLabel(bidsEn.criteria.certType)).toHaveValue('PSA')
  await dialog.getByLabel(bidsEn.criteria.rarity).selectOption('Legendary')
  await dialog.getByLabel(bidsEn.criteria.minGrade).selectOption('9')
  await dialog.getByRole('textbox', { name: bidsEn.form.pegPercent }).fill('60')
  await dialog.getByRole('textbox', { name: bidsEn.form.capCents }).fill('900')
  await dialog.getByRole('button', { name: bidsEn.form.send('$900.00') }).click()
  await expect(dialog.getByRole('alert')).toBeVisible()
  expect(await bids(page, 'open')).toEqual([])
  await dialog.getByRole('button', { name: bidsEn.form.anyway('$900.00') }).click()
  await expect(notices(page)).toContainText(bidsEn.form.placed)
  expect((await bids(page, 'open'))[0]).toMatchObject({
    scope: { certType: 'PSA', rarity: 'Legendary', minGrade: 9 },
    pegPercent: 60,
    capCents: 90_000,
  })
  await page.goto('/balance')
  await expect(page.getByText(ledgerEn.held).locator('xpath=following-sibling::*')).toContainText('900.00')
  await page.getByRole('link', { name: ledgerEn.kinds.bid }).click()
  await expect(page).toHaveURL(/\/orders$/)
  await expect(page.getByRole('region', { name: bidsEn.orders.open })).toContainText('PSA · Legendary · grade 9+')
})

test('bids below an owner’s minimum are declined', async ({ page, browser, server }) => {
  const { id } = await signInWithCard(page)
  await page.goto(`/entry/${id}`)
  const region = page.getByRole('region', { name: bidsEn.own.title })
  await region.getByLabel(bidsEn.own.lowest).fill('2')
  await region.getByRole('button', { name: bidsEn.own.lowestSave }).click()
  await expect(notices(page)).toContainText(bidsEn.own.lowestSaved)
  const bidder = await newBidder(browser, server.url)
  await bidder.goto(`/entry/${id}`)
  await bidder.getByRole('button', { name: bidsEn.bidForThis }).click()
  await send(bidder, low)
  await expect(notices(bidder)).toContainText(en.errors.declined)
  expect(await bids(bidder, 'open')).toEqual([])
  expect(await wallet(bidder)).toMatchObject({ balanceCents: 100_000, heldCents: 0 })
  await bidder.context().close()
})
