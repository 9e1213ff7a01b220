import type { Browser, Page } from '@playwright/test'
import { market, selling, trade as en } from '../src/features/market/texts/en'
import { trade as tradeZh } from '../src/features/market/texts/zh'
import type { InventoryEntry } from '../src/contract/types'
import { listForSale, getJson } from './support/api'
import { blockFeed } from './support/feed'
import { expect, test } from './support/server'
import { signInWithPoints, newVisitor } from './support/sign-in'

/** Lists four cards of a pack as another user, at this price and one, two and three cents more. */
async function fourForSale(browser: Browser, baseURL: string, dollars: number): Promise<Page> {
  const seller = await newVisitor(browser, baseURL, 'en-US')
  await signInWithPoints(seller, 100)
  for (const clientSeed of ['a', 'b', 'c', 'd']) {
    await expect(await seller.request.post('/api/packs/2/open', { data: { clientSeed } })).toBeOK()
  }
  const entries = await getJson<InventoryEntry[]>(seller, '/api/inventory/me')
  for (const [i, { id }] of entries.entries()) await listForSale(seller, id, dollars * 100 + i)
  return seller
}

const owned = async (page: Page) => (await getJson<InventoryEntry[]>(page, '/api/inventory/me')).length

// The tests share a server, so each uses its own prices.
for (const [locale, t, dollars] of [
  ['en-US', en, 300],
  ['zh-CN', tradeZh, 310],
] as const) {
  test.describe(locale, () => {
    test.use({ locale })

    test('clicks in the same place buy one card, whatever the list shows there next', async ({
      page,
      browser,
      server,
    }) => {
      // Tests the page's own behavior, without events.
      await blockFeed(page)
      const seller = await fourForSale(browser, server.url, dollars)
      await signInWithPoints(page, 2000)
      await page.goto(`/marketplace?sortBy=price-low&minPrice=${dollars}&maxPrice=${dollars + 1}`)
      const cards = page.getByRole('main').getByRole('article')
      await expect(cards).toHaveCount(4)

      const buy = cards.first().getByRole('button', { name: new RegExp(String(dollars)) })
      await expect(buy).toBeVisible()
      await buy.hover()
      const { x, y, width, height } = (await buy.boundingBox())!
      const press = () => page.mouse.click(x + width / 2, y + height / 2)
      await page.mouse.move(x + width / 2, y + height / 2)
      const refreshed = page.waitForResponse((answer) => /\/api\/marketplace\?/.test(answer.url()))
      await press()
      await expect(cards.first().getByRole('button', { name: t.confirmBuy(`${dollars}.00`) })).toBeVisible()
      expect(await owned(page)).toBe(0)
      await press()
      await refreshed
      await expect(page.getByText(t.gone.bought, { exact: true })).toBeVisible()
      await press()
      await expect(page.getByText(t.gone.bought, { exact: true })).toBeVisible()
      await expect(cards).toHaveCount(4)
      expect(await owned(page)).toBe(1)

      await page.mouse.move(5, 5)
      await expect(cards).toHaveCount(4)
      await expect(cards.first()).toContainText(t.gone.bought)
      expect(await owned(page)).toBe(1)
      await page.reload()
      await expect(cards).toHaveCount(3)
      await expect(page.getByText(t.gone.bought, { exact: true })).toHaveCount(0)
      await seller.context().close()
    })
  })
}

test('two clicks in the same place delist one card', async ({ browser, server }) => {
  const seller = await fourForSale(browser, server.url, 320)
  await seller.goto('/marketplace')
  await seller.getByRole('button', { name: market.market.manage }).click()
  const dialog = seller.getByRole('dialog', { name: selling.mine })
  const rows = dialog.getByRole('listitem')
  await expect(rows).toHaveCount(4)
  const delist = rows.nth(1).getByRole('button', { name: new RegExp(`^${en.delist}`) })
  await delist.hover()
  const { x, y, width, height } = (await delist.boundingBox())!
  const press = () => seller.mouse.click(x + width / 2, y + height / 2)
  await seller.mouse.move(x + width / 2, y + height / 2)
  const refreshed = seller.waitForResponse((answer) => /\/api\/.*(mine|me|listings)/.test(answer.url()))
  await press()
  await refreshed
  await press()
  await seller.mouse.move(5, 5)
  await expect(rows).toHaveCount(3)
  const listed = (await getJson<InventoryEntry[]>(seller, '/api/inventory/me')).filter(
    ({ state }) => state === 'listed',
  )
  expect(listed).toHaveLength(3)
  await seller.context().close()
})
