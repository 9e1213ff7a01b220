import type { Page } from '@playwright/test'
import * as en from '../src/i18n/texts/en'
import * as zh from '../src/i18n/texts/zh'
import { bulk as bulkEn } from '../src/features/market/texts/en'
import { bulk as bulkZh } from '../src/features/market/texts/zh'
import { sellBack as sellBackEn } from '../src/features/sellback/texts/en'
import { sellBack as sellBackZh } from '../src/features/sellback/texts/zh'
import type { InventoryEntry } from '../src/contract/types'
import { dollars } from '../src/lib/format'
import { getJson } from './support/api'
import { expect, test } from './support/server'
import { signInWithPoints } from './support/sign-in'

const languages = [
  { locale: 'en-US', t: bulkEn, sellBack: sellBackEn, shell: en.shell },
  { locale: 'zh-CN', t: bulkZh, sellBack: sellBackZh, shell: zh.shell },
]

const inventory = (page: Page) => getJson<InventoryEntry[]>(page, '/api/inventory/me')
const prices = async (page: Page) => new Map((await inventory(page)).map((entry) => [entry.id, entry.salePriceCents]))

for (const { locale, t, sellBack, shell } of languages) {
  test.describe(`in ${locale}`, () => {
    test.use({ locale })

    test('five cards are listed, repriced and delisted in one step each', async ({ page }) => {
      await signInWithPoints(page, 25)
      await expect(await page.request.post('/api/packs/demo-pack-1/open', { data: { clientSeed: 'bulk' } })).toBeOK()
      const all = await inventory(page)
      const toast = page.getByRole('region', { name: shell.notifications, includeHidden: true })
      const bar = page.getByRole('region', { name: sellBack.bar })
      const dialog = page.getByRole('dialog')
      const selectAll = () => bar.getByRole('button', { name: sellBack.all, exact: true }).click()
      await page.goto('/my-collection')
      await page.getByRole('button', { name: sellBack.select }).click()
      await selectAll()
      await bar.getByRole('button', { name: t.buttons.list(5) }).click()

      // A price of a cent needs confirmation.
      await dialog.getByRole('combobox', { name: t.rule }).selectOption(t.rules.each)
      await dialog.getByRole('textbox', { name: t.typed.each }).fill('0.01')
      await dialog.getByRole('button', { name: t.confirm.list(5) }).click()
      await expect(dialog.getByRole('alert')).toHaveText(t.far(5))
      expect(new Set((await prices(page)).values())).toEqual(new Set([null]))

      await dialog.getByRole('combobox', { name: t.rule }).selectOption(t.rules.share)
      await dialog.getByRole('textbox', { name: t.typed.share }).fill('120')
      await expect(dialog.getByRole('alert')).toBeHidden()
      const expectedPrices = new Map(all.map(({ id, item }) => [id, Math.round((item.baseValueCents * 120) / 100)]))
      await expect(dialog.getByRole('listitem')).toHaveCount(5)
      await expect(dialog).toContainText(dollars([...expectedPrices.values()].reduce((sum, cents) => sum + cents, 0)))
      await dialog.getByRole('button', { name: t.confirm.list(5) }).click()
      await expect(toast).toContainText(t.done.list(5))
      await expect(dialog).toBeHidden()
      expect(await prices(page)).toEqual(expectedPrices)

      await selectAll()
      await bar.getByRole('button', { name: t.buttons.reprice(5) }).click()
      await dialog.getByRole('combobox', { name: t.rule }).selectOption(t.rules.by)
      await dialog.getByRole('textbox', { name: t.typed.by }).fill('0.25')
      await expect(dialog).toContainText(t.was(dollars(expectedPrices.get(all[0]!.id)!)))
      await dialog.getByRole('button', { name: t.confirm.reprice(5) }).click()
      await expect(toast).toContainText(t.done.reprice(5))
      await expect(dialog).toBeHidden()
      expect(await prices(page)).toEqual(new Map([...expectedPrices].map(([id, cents]) => [id, cents + 25])))

      await selectAll()
      await bar.getByRole('button', { name: t.buttons.delist(5) }).click()
      await dialog.getByRole('button', { name: t.confirm.delist(5) }).click()
      await expect(toast).toContainText(t.done.delist(5))
      expect(new Set((await prices(page)).values())).toEqual(new Set([null]))
    })
  })
}
