import {
  editing as editingEn,
  list as listEn,
  approvals as approvalsEn,
  importing as importingEn,
  admin as operateEn,
} from '../src/features/admin/texts/en'
import {
  editing as editingZh,
  list as listZh,
  approvals as approvalsZh,
  importing as importingZh,
  admin as operateZh,
} from '../src/features/admin/texts/zh'
import type { AdminItem } from '../src/contract/types'
import { dollars } from '../src/lib/format'
import { newAdminPage } from './support/admin'
import { accessibilityViolations } from './support/axe'
import { getJson } from './support/api'
import { expect, test, withServer } from './support/server'

// Long journeys with several visitors.
test.describe.configure({ timeout: 180_000 })

const languages = [
  {
    locale: 'en-US',
    editing: editingEn,
    approvals: approvalsEn,
    importing: importingEn,
    operate: operateEn,
    list: listEn,
  },
  {
    locale: 'zh-CN',
    editing: editingZh,
    approvals: approvalsZh,
    importing: importingZh,
    operate: operateZh,
    list: listZh,
  },
] as const

for (const { locale, editing: t, approvals, importing, operate, list } of languages) {
  test(`in ${locale} a steep value increase, edited or imported, waits for a second admin`, async ({ browser }) => {
    await withServer(async (server) => {
      const admin = await newAdminPage(browser, server, locale)
      const other = await newAdminPage(browser, server, locale)
      const valueOf = async (id: string) => (await getJson<AdminItem>(admin, `/api/items/${id}`)).baseValueCents
      const [item] = await getJson<AdminItem[]>(admin, '/api/admin/items?series=Pokemon&sortBy=price-low')
      const steep = item!.baseValueCents * 3

      await admin.goto('/admin')
      await admin.getByRole('searchbox', { name: t.item.search }).fill(item!.name.split(' ').slice(0, 6).join(' '))
      await admin.getByRole('button', { name: list.search }).click()
      await admin.getByRole('button', { name: t.editOf(item!.name), exact: true }).click()
      const dialog = admin.getByRole('dialog', { name: t.item.title })
      await dialog.getByLabel(operate.baseValueDollars).fill((steep / 100).toFixed(2))
      await dialog.getByLabel(t.item.source).fill('An auction')
      await dialog.getByLabel(t.item.reason).fill('It was sold.')
      await dialog.getByRole('button', { name: t.save }).click()
      await expect(admin.getByText(t.item.valueWaits, { exact: true })).toBeVisible()
      expect(await valueOf(item!.id)).toBe(item!.baseValueCents)

      await other.goto('/admin?tab=approvals')
      const request = other.getByRole('article')
      await expect(request).toContainText(item!.name)
      await expect(request).toContainText(approvals.raise(dollars(item!.baseValueCents), dollars(steep)))
      expect(await accessibilityViolations(other)).toEqual([])
      await other.getByRole('button', { name: approvals.approveOf(approvals.kinds.value) }).click()
      await other.getByRole('dialog').getByRole('textbox', { name: approvals.reason }).fill('I saw the sale.')
      await other.getByRole('dialog').getByRole('button', { name: approvals.approve }).click()
      await expect(other.getByText(approvals.none)).toBeVisible()
      expect(await valueOf(item!.id)).toBe(steep)

      const row = [item!.id, `"${item!.name}"`, item!.series, item!.rarity, steep * 3].join(',')
      const text = `id,name,series,rarity,baseValueCents\n${row}\nnew-1,2026 Journey,Journeys,Rare,500\n`
      await admin.getByRole('button', { name: importing.open, exact: true }).click()
      await admin
        .getByRole('dialog')
        .locator('input[type=file]')
        .setInputFiles({ name: 'list.csv', mimeType: 'text/csv', buffer: Buffer.from(text) })
      await expect(admin.getByRole('dialog').getByText(importing.steep(1))).toBeVisible()
      await admin.getByRole('button', { name: importing.import(2) }).click()
      await expect(admin.getByRole('dialog').getByText(importing.waits(1))).toBeVisible()
      expect(await valueOf(item!.id)).toBe(steep)
      expect(await valueOf('new-1')).toBe(500)
      for (const page of [admin, other]) await page.context().close()
    })
  })
}
