import { AxeBuilder } from '@axe-core/playwright'
import { operate as operateEn } from '../src/i18n/en/operate'
import { operate as operateZh } from '../src/i18n/zh/operate'
import type { Item, Pack } from '../src/lib/api/types'
import { read } from './support/books'
import { expect, grant, test } from './support/server'
import { arriveWith } from './support/sign-in'

for (const { locale, t, name } of [
  { locale: 'en-US', t: operateEn, name: 'Morning' },
  { locale: 'zh-CN', t: operateZh, name: 'Evening' },
]) {
  test.describe(locale, () => {
    test.use({ locale })

    test('an admin creates an item and a pack', async ({ page, server }) => {
      await arriveWith(page, 100)
      const { walletAddress } = await read<{ walletAddress: string }>(page, '/api/auth/user')
      await grant(server, walletAddress)
      await page.goto('/admin')

      await page.getByRole('button', { name: t.createItem }).click()
      const item = page.getByRole('dialog', { name: t.createItem })
      await item.getByLabel(t.name).fill(`2026 ${name} Card`)
      await item.getByLabel(t.series).fill(`Series of ${name}`)
      await item.getByLabel(t.baseValueDollars).fill('19.99')
      const { violations } = await new AxeBuilder({ page }).analyze()
      expect(violations).toEqual([])
      await item.getByRole('button', { name: t.create }).click()
      await expect(page.getByText(t.itemCreated, { exact: true })).toBeVisible()
      const items = await read<Item[]>(page, `/api/items?series=${encodeURIComponent(`Series of ${name}`)}`)
      expect(items).toMatchObject([{ name: `2026 ${name} Card`, baseValueCents: 1999, rarity: 'Common' }])

      await page.getByRole('tab', { name: t.tab.packs }).click()
      await page.getByRole('button', { name: t.createPack }).click()
      const dialog = page.getByRole('dialog', { name: t.createPack })
      await dialog.getByLabel(t.name).fill(`${name} Five`)
      await dialog.getByLabel(t.priceDollars).fill('25')
      await dialog.getByRole('button', { name: t.create }).click()
      // Everything at once is worth more than that.
      await dialog.getByLabel(t.acceptedLoss).fill('5')
      await dialog.getByLabel(t.drawsFrom).selectOption('Starter')
      await dialog.getByRole('button', { name: t.create }).click()
      await expect(page.getByText(t.packCreated, { exact: true })).toBeVisible()
      await expect(page.getByRole('listitem').filter({ hasText: `${name} Five` })).toContainText(t.active)
      const pack = (await read<Pack[]>(page, '/api/packs')).find((found) => found.name === `${name} Five`)
      expect(pack).toMatchObject({ priceCents: 2500, itemsPerPack: 5, supply: -1, isActive: true })
      await expect(await page.request.post(`/api/packs/${pack!.id}/open`, { data: { clientSeed: name } })).toBeOK()
      const trail = await read<{ act: string }[]>(page, '/api/admin/audit?limit=2')
      expect(trail.map(({ act }) => act)).toEqual(['create-pack', 'create-item'])
    })
  })
}
