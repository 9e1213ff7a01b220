import type { Page } from '@playwright/test'
import * as en from '../src/i18n/texts/en'
import { collection } from '../src/features/inventory/texts/zh'
import {
  cart as cartZh,
  market as marketZh,
  selling as sellingZh,
  trade as tradeZh,
} from '../src/features/market/texts/zh'
import { selling as sellingEn, trade as tradeEn } from '../src/features/market/texts/en'
import * as zh from '../src/i18n/texts/zh'
import { balance as ledgerZh } from '../src/features/wallet/texts/zh'
import { sellBack } from '../src/features/sellback/texts/en'
import type { InventoryEntry, Listing, Transaction } from '../src/contract/types'
import type { config } from '../src/lib/config'
import { dollars, number, points } from '../src/lib/format'
import { listForSale, getJson } from './support/api'
import { blockFeed } from './support/feed'
import { buyButton, buyListing } from './support/market'
import { expect, test } from './support/server'
import { signInWithPoints, newVisitor } from './support/sign-in'

const balance = async (page: Page) => (await getJson<{ balanceCents: number }>(page, '/api/wallet')).balanceCents
const inventory = (page: Page) => getJson<InventoryEntry[]>(page, '/api/inventory/me')
const movements = (page: Page) => getJson<Transaction[]>(page, '/api/wallet/transactions')

/** Signs in a user with one Pokemon card and $25. */
async function signInWithCard(page: Page): Promise<InventoryEntry> {
  await signInWithPoints(page, 50)
  await expect(await page.request.post('/api/packs/2/open', { data: { clientSeed: 'market' } })).toBeOK()
  const [entry] = await inventory(page)
  if (!entry) throw new Error('nothing pulled')
  return entry
}

/** The listing fee in percent, from the page's configuration. */
async function feePercent(page: Page): Promise<number> {
  const configText = (await page.locator('#kaibao-config').textContent()) ?? ''
  return (JSON.parse(configText) as typeof config).rates.listing / 100
}

async function post(page: Page, act: string, data: object): Promise<void> {
  await expect(await page.request.post(`/api/marketplace/${act}`, { data })).toBeOK()
}

/** Found even while a dialog hides the rest of the page from assistive technology. */
const notices = (page: Page, t: typeof en) =>
  page.getByRole('region', { name: t.shell.notifications, includeHidden: true })
const toast = (page: Page) => notices(page, en)

/** The card of a listing, found by price because the item may have other listings. */
const listingAt = (page: Page, price: number) => page.getByRole('article').filter({ hasText: points(price) })

// The other journeys are in English.
test.describe('in Chinese', () => {
  const [t, ledger, market, cart, trade, selling] = [zh, ledgerZh, marketZh, cartZh, tradeZh, sellingZh]
  test.use({ locale: 'zh-CN' })

  test('one user lists a card and another buys it', async ({ page, browser, server }) => {
    const entry = await signInWithCard(page)
    const { item } = entry
    const price = item.baseValueCents + 39
    await page.goto('/my-collection')
    const sell = page.getByRole('button', { name: trade.sellItem(item.name) })
    const takeBack = page.getByRole('button', { name: trade.delistItem(item.name) })
    const dialog = page.getByRole('dialog', { name: trade.sell })
    // When pressed by keyboard, the button keeps focus when it changes.
    await sell.press('Enter')
    await dialog.getByRole('textbox', { name: selling.price }).fill(String(price / 100))
    await page.keyboard.press('Enter')
    await expect(takeBack).toBeFocused()
    await page.keyboard.press('Enter')
    await expect(notices(page, t)).toContainText(trade.delisted)
    await expect(sell).toBeFocused()
    await page.keyboard.press('Enter')
    await expect(dialog).toContainText(item.name)
    const percent = await feePercent(page)
    await dialog.getByRole('textbox', { name: selling.price }).fill(String(price / 100))
    await expect(dialog).toContainText(selling.receive(dollars(price - Math.round((price * percent) / 100)), percent))
    await dialog.getByRole('button', { name: selling.confirm }).click()
    await expect(notices(page, t)).toContainText(selling.listed)
    const own = page.getByRole('article')
    await expect(own).toContainText(collection.forSale)
    const [picture, badge] = await Promise.all([
      own.getByRole('img').boundingBox(),
      own.getByText(collection.forSale).boundingBox(),
    ])
    // The top fifth of a slab is its label.
    expect(badge!.y).toBeGreaterThan(picture!.y + picture!.height / 5)
    await expect(own).toContainText(dollars(price))
    expect((await inventory(page))[0]).toMatchObject({ state: 'listed', salePriceCents: price })

    const buyer = await newVisitor(browser, server.url, 'zh-CN')
    await signInWithPoints(buyer, 1000)
    const dollar = Math.floor(price / 100)
    await buyer.goto(`/marketplace?sortBy=price-low&minPrice=${dollar}&maxPrice=${dollar + 1}`)
    const card = listingAt(buyer, price)
    await expect(card.getByRole('link', { name: item.name })).toBeVisible()
    await expect(card).toContainText(trade.anonymous)
    await buyListing(card, trade, price, item.name)
    const region = notices(buyer, t)
    await expect(region).toContainText(trade.bought + trade.boughtText)
    // The card stays in place, marked as bought, until the filter changes.
    await buyer.mouse.move(5, 5)
    await expect(card.getByRole('button', { name: trade.gone.bought })).toBeDisabled()
    await expect
      .poll(async () => (await getJson<Listing[]>(buyer, '/api/marketplace')).some(({ id }) => id === entry.id))
      .toBe(false)
    await expect(card.getByRole('button', { name: trade.gone.bought })).toBeVisible()
    await card.getByRole('link', { name: item.name }).click()
    await expect(buyer).toHaveURL(`/entry/${entry.id}`)
    expect(await balance(buyer)).toBe(100_000 - price)
    expect((await inventory(buyer))[0]).toMatchObject({ id: entry.id, state: 'held', acquiredFrom: 'market' })
    expect((await movements(buyer))[0]).toMatchObject({ kind: 'sale', amountCents: -price })
    await buyer.goto('/topup')
    await expect(buyer.getByRole('row').filter({ hasText: ledger.kinds.purchase })).toBeVisible()
    await buyer.context().close()

    const fee = Math.round((price * percent) / 100)
    expect(await inventory(page)).toEqual([])
    expect(await balance(page)).toBe(2500 + price - fee)
    await page.goto('/topup')
    await expect(page.getByRole('row').filter({ hasText: ledger.kinds.sale })).toContainText('+')
    await expect(page.getByRole('row').filter({ hasText: ledger.kinds.saleFee })).toBeVisible()
    await page.goto('/my-collection')
    await expect(page.getByRole('heading', { name: collection.emptyTitle })).toBeVisible()
  })

  test('a card is bought from its own page, which then names the buyer as its owner', async ({
    page,
    browser,
    server,
  }) => {
    const { id, item } = await signInWithCard(page)
    const price = item.baseValueCents + 17
    await listForSale(page, id, price)
    const buyer = await newVisitor(browser, server.url, 'zh-CN')
    await signInWithPoints(buyer, 1000)
    const dollar = Math.floor(price / 100)
    await buyer.goto(`/marketplace?sortBy=price-low&minPrice=${dollar}&maxPrice=${dollar + 1}`)
    await listingAt(buyer, price).getByRole('link', { name: item.name }).click()
    await expect(buyer).toHaveURL(`/entry/${id}`)
    const main = buyer.getByRole('main')
    await main.getByRole('button', { name: cart.add(item.name) }).click()
    await expect(main.getByRole('button', { name: cart.removeFromCart(item.name) })).toBeVisible()
    await buyListing(main, trade, price, item.name)
    await expect(notices(buyer, t)).toContainText(trade.bought + trade.boughtText)
    await expect(main.getByRole('button', { name: trade.sellItem(item.name) })).toBeVisible()
    await expect(buyButton(main, trade, price, item.name)).toHaveCount(0)
    expect(await balance(buyer)).toBe(100_000 - price)
    expect((await inventory(buyer))[0]).toMatchObject({ id, state: 'held', acquiredFrom: 'market' })
    expect((await movements(buyer))[0]).toMatchObject({ kind: 'sale', amountCents: -price })
    expect(await inventory(page)).toEqual([])
    await buyer.context().close()
  })

  test('a listing is repriced and removed', async ({ page }) => {
    const { id, item } = await signInWithCard(page)
    await page.goto('/marketplace')
    await page.getByRole('button', { name: market.market.manage }).click()
    await expect(page.getByRole('dialog', { name: market.market.comingSoon })).toContainText(market.market.manageText)
    await page.keyboard.press('Escape')

    // Close to the value, so that the price needs no confirmation.
    const [firstPrice, newPrice] = [item.baseValueCents + 11, item.baseValueCents + 22]
    await listForSale(page, id, firstPrice)
    await page.reload()
    await page.getByRole('button', { name: market.market.manage }).click()
    const dialog = page.getByRole('dialog', { name: selling.mine })
    await expect(dialog).toContainText(dollars(firstPrice))
    await dialog.getByRole('button', { name: selling.editItem(item.name) }).click()
    await dialog.getByRole('textbox', { name: selling.price }).fill(String(newPrice / 100))
    await dialog.getByRole('button', { name: selling.save }).click()
    await expect(dialog).toContainText(dollars(newPrice))
    expect((await inventory(page))[0]?.salePriceCents).toBe(newPrice)
    await dialog.getByRole('button', { name: trade.delistItem(item.name) }).click()
    await expect(notices(page, t)).toContainText(trade.delisted)
    expect((await inventory(page))[0]).toMatchObject({ state: 'held', salePriceCents: null })
  })
})

for (const [locale, t, trade, selling] of [
  ['en-US', en, tradeEn, sellingEn],
  ['zh-CN', zh, tradeZh, sellingZh],
] as const)
  test.describe(`a typed price, in ${locale}`, () => {
    test.use({ locale })

    test('accepts any separator, and asks when it is ambiguous', async ({ page }) => {
      const { id, item } = await signInWithCard(page)
      await page.goto('/my-collection')
      const dialog = page.getByRole('dialog', { name: trade.sell })
      const field = dialog.getByRole('textbox', { name: selling.price })
      async function type(text: string) {
        await page.getByRole('button', { name: trade.sellItem(item.name) }).click()
        await field.pressSequentially(text)
        await dialog.getByRole('button', { name: selling.confirm }).click()
      }
      async function takeBack(price: number) {
        await expect(notices(page, t)).toContainText(selling.listed)
        expect((await inventory(page))[0]?.salePriceCents).toBe(price)
        await post(page, 'delist', { inventoryId: id })
        await page.reload()
      }
      // Close to the value, so that the price needs no confirmation.
      const cents = item.baseValueCents + 50 - (item.baseValueCents % 100) + 100
      const [whole, rest] = (cents / 100).toFixed(2).split('.')
      for (const mark of [',', '。', '．']) {
        await type(`${whole}${mark}${rest}`)
        await takeBack(cents)
      }

      await type('9.950')
      const question = dialog.getByRole('group', { name: t.shell.numbers.which })
      await expect(question.getByRole('button')).toHaveText(['9.95', '9,950.00'])
      expect((await inventory(page))[0]?.state).toBe('held')
      await question.getByRole('button', { name: '9,950.00' }).click()
      await expect(field).toHaveValue('9950')
      await dialog.getByRole('button', { name: selling.confirm }).click()
      await expect(dialog.getByRole('alert')).toContainText(
        selling.far.list.above(
          '$9,950.00',
          number(Math.floor(995_000 / item.baseValueCents)),
          dollars(item.baseValueCents),
        ),
      )
      await dialog.getByRole('button', { name: selling.far.list.confirm('$9,950.00') }).click()
      await takeBack(995_000)

      // A decimal point off by one place needs confirmation.
      const tenfold = item.baseValueCents * 10
      await type((tenfold / 100).toFixed(2))
      await expect(dialog.getByRole('alert')).toContainText(
        selling.far.list.above(dollars(tenfold), '10', dollars(item.baseValueCents)),
      )
      expect((await inventory(page))[0]?.state).toBe('held')
    })
  })

test('a buyer with too few points, or too late, gets an error and pays nothing', async ({ page, browser, server }) => {
  const { id, item } = await signInWithCard(page)
  await listForSale(page, id, 2111)
  const buyer = await newVisitor(browser, server.url, 'en-US')
  await signInWithPoints(buyer, 21)
  await blockFeed(buyer)
  await buyer.goto('/marketplace')
  await listingAt(buyer, 2111)
    .getByRole('link', { name: tradeEn.topUp('0.11') })
    .click()
  await expect(buyer).toHaveURL('/topup?amount=1')

  await post(page, 'reprice', { inventoryId: id, priceCents: 2099, confirmedCents: 2099 })
  await buyer.goto('/marketplace')
  const buy = buyButton(listingAt(buyer, 2099), tradeEn, 2099, item.name)
  await expect(buy).toBeEnabled()
  await post(page, 'reprice', { inventoryId: id, priceCents: 2055, confirmedCents: 2055 })
  await buyListing(listingAt(buyer, 2099), tradeEn, 2099, item.name)
  await expect(toast(buyer)).toContainText(tradeEn.buyFailed + en.errors.price_changed)
  // The page has been refetched.
  await expect(listingAt(buyer, 2055)).toBeVisible()
  await post(page, 'delist', { inventoryId: id })
  await buyListing(listingAt(buyer, 2055), tradeEn, 2055, item.name)
  await expect(toast(buyer)).toContainText(en.errors.not_listed)
  await buyer.mouse.move(5, 5) // the row stays in place until the pointer leaves
  await expect(listingAt(buyer, 2055)).toHaveCount(0)
  expect(await balance(buyer)).toBe(2100)
  await buyer.context().close()
})

test('a lost response is retried, and the card is bought once', async ({ page, browser, server }) => {
  const { id, item } = await signInWithCard(page)
  await listForSale(page, id, 1777)
  const buyer = await newVisitor(browser, server.url, 'en-US')
  await signInWithPoints(buyer, 100)
  await blockFeed(buyer)
  await buyer.goto('/marketplace')
  // The page must not learn that the listing is gone, otherwise it wouldn't retry.
  const [listing] = (await getJson<Listing[]>(buyer, '/api/marketplace')).filter((entry) => entry.id === id)
  await buyer.route('**/api/marketplace*', (route) => route.fulfill({ json: [listing] }))
  await buyer.route(
    '**/api/marketplace/buy',
    async (route) => {
      await route.fetch()
      await route.abort('connectionreset')
    },
    // The page retries twice by itself.
    { times: 3 },
  )
  const buy = () => buyListing(listingAt(buyer, 1777), tradeEn, 1777, item.name)
  await buy()
  await expect(toast(buyer)).toContainText(`${en.errors.network} ${tradeEn.buyUnsure}`)
  expect(await balance(buyer)).toBe(10_000 - 1777)
  await buy()
  await expect(toast(buyer)).toContainText(tradeEn.bought)
  expect(await balance(buyer)).toBe(10_000 - 1777)
  expect((await inventory(buyer)).map((entry) => entry.id)).toEqual([id])
  await buyer.context().close()
})

test('invalid prices are refused without a request', async ({ page }) => {
  const { item } = await signInWithCard(page)
  await page.goto('/my-collection')
  await page.getByRole('button', { name: tradeEn.sellItem(item.name) }).click()
  const dialog = page.getByRole('dialog', { name: tradeEn.sell })
  const confirm = dialog.getByRole('button', { name: sellingEn.confirm })
  await expect(confirm).toBeDisabled()
  await dialog.getByRole('textbox').fill('0.001')
  await confirm.click()
  await expect(toast(page)).toContainText('Invalid PricePlease enter a valid price.')
  expect((await inventory(page))[0]?.state).toBe('held')
})

test('a price far from the value needs confirmation and offers quick sell instead', async ({ page }) => {
  const { id, item, sellBackCents } = await signInWithCard(page)
  const house = dollars(sellBackCents)
  await page.goto('/my-collection')
  await page.getByRole('button', { name: tradeEn.sellItem(item.name) }).click()
  const dialog = page.getByRole('dialog', { name: tradeEn.sell })
  await dialog.getByRole('textbox').fill('0.5')
  await dialog.getByRole('button', { name: sellingEn.confirm }).click()
  await expect(dialog.getByRole('alert')).toContainText(sellingEn.far.list.below('$0.50', house))
  expect((await inventory(page))[0]?.state).toBe('held')
  await dialog.getByRole('button', { name: sellingEn.far.list.confirm('$0.50') }).click()
  await expect(toast(page)).toContainText(sellingEn.listed)
  expect((await inventory(page))[0]).toMatchObject({ state: 'listed', salePriceCents: 50 })

  await post(page, 'delist', { inventoryId: id })
  await page.reload()
  await page.getByRole('button', { name: tradeEn.sellItem(item.name) }).click()
  await dialog.getByRole('textbox').fill('500000')
  await dialog.getByRole('button', { name: sellingEn.confirm }).click()
  await expect(dialog.getByRole('alert')).toContainText(
    sellingEn.far.list.above(
      '$500,000.00',
      number(Math.floor(50_000_000 / item.baseValueCents)),
      dollars(item.baseValueCents),
    ),
  )
  await dialog.getByRole('button', { name: sellingEn.far.quickSell(house) }).click()
  const quick = page.getByRole('dialog', { name: sellBack.title(1) })
  await quick.getByRole('button', { name: sellBack.confirm(house) }).click()
  await expect(toast(page)).toContainText(sellBack.sold(house))
  expect(await inventory(page)).toEqual([])
  expect(await balance(page)).toBe(2500 + sellBackCents)
})
