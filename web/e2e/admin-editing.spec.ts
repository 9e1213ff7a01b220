import { AxeBuilder } from '@axe-core/playwright'
import { editing as en, admin as operateEn, list as listEn } from '../src/features/admin/texts/en'
import { editing as zh, admin as operateZh, list as listZh } from '../src/features/admin/texts/zh'
import type { AdminItem, AdminPack } from '../src/contract/types'
import { getJson } from './support/api'
import { expect, makeAdmin, test } from './support/server'
import { signInWithPoints } from './support/sign-in'

test.use({ ownServer: 'admin-editing' })

// Both share a server, so each uses its own packs.
for (const [locale, t, operate, list, pack, other] of [
  ['en-US', en, operateEn, listEn, { id: '2', name: 'Pokemon' }, 'Soccer'],
  ['zh-CN', zh, operateZh, listZh, { id: '6', name: 'Baseball' }, 'Football'],
] as const) {
  test.describe(locale, () => {
    test.use({ locale })

    test.beforeEach(async ({ page, server }) => {
      await signInWithPoints(page, 100)
      const { walletAddress } = await getJson<{ walletAddress: string }>(page, '/api/auth/user')
      await makeAdmin(server, walletAddress)
    })

    test('an admin edits an item, removes a copy from stock, retires it and finds it again', async ({ page }) => {
      await page.goto('/admin')
      const series = encodeURIComponent('Labubu Deluxe Collection')
      const [toy] = await getJson<AdminItem[]>(page, `/api/admin/items?series=${series}`)
      await page.getByRole('searchbox', { name: t.item.search }).fill(toy!.name)
      await page.getByRole('button', { name: list.search }).click()
      await page.getByRole('button', { name: t.editOf(toy!.name), exact: true }).click()
      const dialog = page.getByRole('dialog', { name: t.item.title })
      await dialog.getByLabel(operate.baseValueDollars).fill('123.45')
      await dialog.getByLabel(t.item.restock).fill('-1')
      await dialog.getByRole('button', { name: t.save }).click()
      await expect(dialog.getByLabel(t.item.source)).toHaveAccessibleDescription(/.+/)
      await expect(dialog.getByLabel(t.item.source)).toBeFocused()
      expect((await new AxeBuilder({ page }).analyze()).violations).toEqual([])
      await dialog.getByLabel(t.item.source).fill('An auction')
      await dialog.getByLabel(t.item.reason).fill('It changed.')
      await dialog.getByRole('button', { name: t.save }).click()
      await expect(page.getByText(t.saved, { exact: true })).toBeVisible()
      await expect(dialog).toBeHidden()
      const [changed] = await getJson<AdminItem[]>(page, `/api/admin/items?search=${encodeURIComponent(toy!.name)}`)
      expect(changed).toMatchObject({ baseValueCents: 12_345, stock: { left: toy!.stock!.left - 1 } })

      await page.getByRole('button', { name: t.editOf(toy!.name), exact: true }).click()
      await dialog.getByLabel(t.item.state).selectOption('false')
      await dialog.getByRole('button', { name: t.save }).click()
      await expect(dialog).toBeHidden()
      await page.getByLabel(list.status).selectOption('retired')
      await expect(page.getByRole('button', { name: t.editOf(toy!.name), exact: true })).toBeVisible()
      const trail = await getJson<{ act: string }[]>(page, '/api/admin/audit?limit=2')
      expect(trail.map(({ act }) => act)).toEqual(['edit-item', 'edit-item'])
    })

    test('an admin previews a pack, can’t save one that loses money, and publishes one that doesn’t', async ({
      page,
    }) => {
      await page.goto('/admin?tab=packs')
      await page.getByRole('button', { name: t.editOf(pack.name) }).click()
      const dialog = page.getByRole('dialog', { name: t.pack.title })
      const figures = dialog.getByRole('region', { name: t.pack.preview })
      await expect(figures).toContainText(t.pack.passes)
      await dialog.getByLabel(operate.supply).fill('1,000')
      await dialog.getByRole('button', { name: t.save }).click()
      await expect(dialog.getByLabel(operate.supply)).toBeFocused()
      await expect(dialog.getByLabel(operate.supply)).toHaveAccessibleDescription(/.+/)
      await dialog.getByLabel(operate.supply).fill('-1')
      await dialog.getByLabel(operate.itemsPerPack).fill('2')
      await expect(figures).toContainText(t.pack.refused)
      expect((await new AxeBuilder({ page }).analyze()).violations).toEqual([])
      await dialog.getByRole('button', { name: t.save }).click()
      await expect(dialog.getByLabel(operate.priceDollars)).toHaveAccessibleDescription(operate.priceTooLow)
      const price = dialog.getByRole('region', { name: operate.whatFits }).getByRole('button', { name: /^\$/ })
      const lowest = Math.round(Number((await price.innerText()).replace(/[$,]/g, '')) * 100)
      await price.click()
      await expect(figures).toContainText(t.pack.passes)
      await dialog.getByRole('button', { name: t.save }).click()
      await expect(page.getByText(t.saved, { exact: true })).toBeVisible()
      const all = await getJson<AdminPack[]>(page, '/api/admin/packs')
      expect(all.find(({ id }) => id === pack.id)).toMatchObject({
        priceCents: 2500,
        itemsPerPack: 1,
        wanted: { priceCents: lowest, itemsPerPack: 2 },
      })
      await expect(page.getByRole('listitem').filter({ hasText: pack.name })).toContainText(/\$2\d\.|\$4\d\./)

      await page.getByRole('button', { name: t.editOf(other) }).click()
      await dialog.getByLabel(t.pack.state).selectOption('false')
      await dialog.getByRole('button', { name: t.save }).click()
      await expect(page.getByRole('listitem').filter({ hasText: other })).toContainText(operate.inactive)
    })
  })
}
