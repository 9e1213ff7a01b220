import { readFile } from 'node:fs/promises'
import type { Page } from '@playwright/test'
import { item as itemEn } from '../src/features/item/texts/en'
import { item as itemZh } from '../src/features/item/texts/zh'
import { activity as activityEn } from '../src/features/activity/texts/en'
import { activity as activityZh } from '../src/features/activity/texts/zh'
import type { InventoryEntry, ItemSales, Trade } from '../src/contract/types'
import { dollars } from '../src/lib/format'
import { getJson } from './support/api'
import { expect, test } from './support/server'
import { signInWithPoints } from './support/sign-in'

async function post(page: Page, path: string, data: object): Promise<void> {
  await expect(await page.request.post(path, { data })).toBeOK()
}

for (const { locale, t, item: itemTexts } of [
  { locale: 'en-US', t: activityEn, item: itemEn },
  { locale: 'zh-CN', t: activityZh, item: itemZh },
] as const) {
  test.describe(`in ${locale}`, () => {
    test.use({ locale })

    test('a sale is found by kind, by item and as one’s own, and counts among its item’s sales', async ({
      page,
      browser,
      server,
    }) => {
      await signInWithPoints(page, 50)
      await post(page, '/api/packs/2/open', { clientSeed: 'activity' })
      const [entry] = await getJson<InventoryEntry[]>(page, '/api/inventory/me')
      const { id, item } = entry!
      const price = item.baseValueCents + 7
      await post(page, '/api/marketplace/list', { inventoryId: id, priceCents: price })
      const context = await browser.newContext({ baseURL: server.url, locale })
      const buyer = await context.newPage()
      await signInWithPoints(buyer, 10_000)
      await post(buyer, '/api/marketplace/buy', { inventoryId: id })
      await post(buyer, '/api/inventory/sell-back', { inventoryIds: [id] })

      await buyer.goto('/activity')
      const lines = buyer.getByRole('list', { name: t.all }).getByRole('listitem')
      await expect(lines.filter({ hasText: t.kinds.listing }).filter({ hasText: dollars(price) })).toBeVisible()
      await buyer.getByLabel(t.scope).selectOption({ label: t.mine })
      await expect(lines).toHaveCount(2)
      await expect(lines.first()).toContainText(`${t.sides.sold} · ${t.kinds['sell-back']}`)
      await expect(lines.last()).toContainText(`${t.sides.bought} · ${t.kinds.listing}`)
      await buyer.getByLabel(t.kind).selectOption({ label: t.kinds.listing })
      await expect(buyer).toHaveURL('/activity?kind=listing&mine=true')
      await expect(lines).toHaveCount(1)
      const found = await getJson<Trade[]>(buyer, '/api/activity/me?kind=listing')
      expect(found.map(({ inventoryId, priceCents, side }) => [inventoryId, priceCents, side])).toEqual([
        [id, price, 'bought'],
      ])
      const started = buyer.waitForEvent('download')
      await buyer.getByRole('link', { name: t.csv }).click()
      const [, ...rows] = (await readFile(await (await started).path(), 'utf8')).trim().split(/\r?\n/)
      expect(rows).toHaveLength(1)
      expect(rows[0]).toContain(id)

      await lines.first().getByRole('link').click()
      await expect(buyer).toHaveURL(`/item/${item.id}`)
      const sales = buyer.getByRole('region', { name: itemTexts.sales.title })
      await expect(sales.getByRole('row').filter({ hasText: dollars(price) })).toBeVisible()
      await sales.scrollIntoViewIfNeeded()
      await expect(sales.getByRole('img', { name: itemTexts.sales.chart }).locator('canvas')).toBeVisible()
      const itemSales = await getJson<ItemSales>(buyer, `/api/items/${item.id}/sales`)
      expect(itemSales.lastSaleCents).toBe(price)
      await expect(buyer.getByRole('main')).toContainText(itemTexts.facts.lastSale + dollars(price))
      await sales.getByRole('link', { name: itemTexts.sales.more }).click()
      await expect(buyer).toHaveURL(`/activity?item=${item.id}`)
      await expect(buyer.getByTitle(t.allItems)).toContainText(t.ofItem(item.name))
      await context.close()
    })
  })
}
