import type { Page } from '@playwright/test'
import * as en from '../src/i18n/texts/en'
import * as zh from '../src/i18n/texts/zh'
import { cart as cartEn, trade as tradeEn } from '../src/features/market/texts/en'
import { cart as cartZh, trade as tradeZh } from '../src/features/market/texts/zh'
import type { InventoryEntry } from '../src/contract/types'
import { dollars, points } from '../src/lib/format'
import { listForSale, getJson } from './support/api'
import { expect, test } from './support/server'
import { signInWithPoints } from './support/sign-in'

// A long journey with several visitors.
test.describe.configure({ timeout: 180_000 })

const languages = [
  { locale: 'en-US', t: cartEn, trade: tradeEn, shell: en.shell },
  { locale: 'zh-CN', t: cartZh, trade: tradeZh, shell: zh.shell },
]

const inventory = (page: Page) => getJson<InventoryEntry[]>(page, '/api/inventory/me?limit=200')
const balance = async (page: Page) => (await getJson<{ balanceCents: number }>(page, '/api/wallet')).balanceCents
const sum = (prices: readonly number[]) => prices.reduce((total, cents) => total + cents, 0)

/** Signs in a user with three listed copies of an item, cheaper than all others and each a cent more. */
async function signInWithListedCopies(page: Page): Promise<{ copies: InventoryEntry[]; prices: number[] }> {
  await signInWithPoints(page, 1000)
  for (let n = 0; n < 12; n++) {
    const data = { clientSeed: `copies ${n}` }
    await expect(await page.request.post('/api/packs/demo-pack-1/open', { data })).toBeOK()
  }
  const all = await inventory(page)
  const same = all.map(({ item }) => all.filter((other) => other.item.id === item.id)).find(({ length }) => length >= 3)
  const copies = same?.slice(0, 3) ?? []
  expect(copies).toHaveLength(3)
  const prices = copies.map(({ sellBackCents }, at) => sellBackCents + at)
  for (const [at, price] of prices.entries()) await listForSale(page, copies[at]!.id, price)
  return { copies, prices }
}

for (const { locale, t, trade, shell } of languages) {
  test.describe(`in ${locale}`, () => {
    test.use({ locale })

    test('the cheapest listings are added to the cart, and none costs more than shown', async ({
      page,
      browser,
      server,
    }) => {
      const { copies, prices } = await signInWithListedCopies(page)
      const { id: itemId, name } = copies[0]!.item
      const context = await browser.newContext({ baseURL: server.url, locale })
      const buyer = await context.newPage()
      await signInWithPoints(buyer, 100)
      const toast = buyer.getByRole('region', { name: shell.notifications, includeHidden: true })
      const dialog = buyer.getByRole('dialog', { name: t.title })
      await buyer.goto(`/item/${itemId}`)
      await buyer.getByRole('textbox', { name: t.sweep.count }).fill('2')
      await buyer.getByRole('button', { name: t.sweep.button(2, dollars(sum(prices.slice(0, 2)))) }).click()
      await expect(toast).toContainText(t.sweep.done(2))
      // Add the third directly; the other two listings are already in the cart.
      await buyer
        .getByRole('button', { name: t.add(name) })
        .first()
        .click()
      await buyer.getByRole('button', { name: t.open(3) }).click()
      await expect(dialog).toContainText(t.total(3) + points(sum(prices)))

      // The seller reprices the second and delists the third.
      const dearer = { inventoryId: copies[1]!.id, priceCents: prices[1]! + 7 }
      await expect(await page.request.post('/api/marketplace/reprice', { data: dearer })).toBeOK()
      const back = { inventoryId: copies[2]!.id }
      await expect(await page.request.post('/api/marketplace/delist', { data: back })).toBeOK()
      const lines = dialog.getByRole('listitem')
      await dialog.getByRole('button', { name: t.buyAll(3, dollars(sum(prices))) }).click()
      await expect(toast).toContainText(trade.buyFailed)
      await expect(lines.nth(1)).toContainText(t.why.price_changed)
      expect(await inventory(buyer)).toEqual([])
      expect(await balance(buyer)).toBe(10_000)

      await dialog.getByRole('button', { name: t.buySome(dollars(sum(prices))) }).click()
      await expect(toast).toContainText(t.bought(1, points(prices[0]!)) + t.boughtText(2))
      expect((await inventory(buyer)).map(({ id }) => id)).toEqual([copies[0]!.id])
      await expect(lines).toHaveCount(2)
      await expect(lines.nth(1)).toContainText(t.why.not_listed)
      // Listings known to be gone don't count towards the total.
      await expect(dialog).toContainText(t.total(1) + points(prices[1]!))
      await expect(dialog.getByRole('button', { name: t.buyAll(1, dollars(prices[1]!)) })).toBeDisabled()
      await dialog.getByRole('button', { name: t.removeUnavailable(1) }).click()
      await lines.getByRole('button', { name: t.acceptPrice(dollars(prices[1]! + 7)) }).click()
      // The cart survives a reload.
      await buyer.reload()
      await buyer.getByRole('button', { name: t.open(1) }).click()
      await dialog.getByRole('button', { name: t.buyAll(1, dollars(prices[1]! + 7)) }).click()
      await expect(toast).toContainText(t.bought(1, points(prices[1]! + 7)) + t.boughtText(0))
      await expect(dialog).toBeHidden()
      expect(await inventory(buyer)).toHaveLength(2)
      expect(await balance(buyer)).toBe(10_000 - prices[0]! - prices[1]! - 7)
      await context.close()
    })
  })
}
