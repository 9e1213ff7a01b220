import { AxeBuilder } from '@axe-core/playwright'
import type { Page } from '@playwright/test'
import { claim as lifeEn } from '../src/components/claim/texts/en'
import { claim as lifeZh } from '../src/components/claim/texts/zh'
import { flow as flowEn, claims as mineEn } from '../src/features/redemptions/texts/en'
import { flow as flowZh, claims as mineZh } from '../src/features/redemptions/texts/zh'
import { claims as adminEn, list as listEn } from '../src/features/admin/texts/en'
import { claims as adminZh, list as listZh } from '../src/features/admin/texts/zh'
import type { Claim, InventoryEntry, OpenResult } from '../src/contract/types'
import { dollars, points } from '../src/lib/format'
import { getJson, sendToVault } from './support/api'
import { expect, makeAdmin, test } from './support/server'
import { signInWithPoints, signInWithWallet } from './support/sign-in'

test.use({ ownServer: 'claims' })
test.slow()

const accessible = async (page: Page) => expect((await new AxeBuilder({ page }).analyze()).violations).toEqual([])

/** Signs in a user with the five items of a pack, two of them vaulted. */
async function signInWithVault(page: Page): Promise<InventoryEntry[]> {
  await signInWithWallet(page, 200)
  await expect(await page.request.post('/api/packs/demo-pack-1/open', { data: { clientSeed: 'x' } })).toBeOK()
  const [first, second] = await getJson<InventoryEntry[]>(page, '/api/inventory/me')
  for (const entry of [first!, second!]) await sendToVault(page, entry.id)
  return [first!, second!]
}

for (const { locale, flow, mine, life, admin, list } of [
  { locale: 'en-US', flow: flowEn, mine: mineEn, life: lifeEn, admin: adminEn, list: listEn },
  { locale: 'zh-CN', flow: flowZh, mine: mineZh, life: lifeZh, admin: adminZh, list: listZh },
]) {
  test.describe(locale, () => {
    test.use({ locale })

    test('items are claimed in three steps that survive a reload, shipped by an admin, and tracked', async ({
      page,
      server,
      browser,
    }) => {
      const [first, second] = await signInWithVault(page)
      await page.goto('/vault')
      await page
        .getByRole('button', { name: flow.buttonOf(first!.item.name) })
        .first()
        .click()
      await expect(page.getByRole('checkbox', { checked: true })).toHaveCount(1)
      await page
        .getByRole('checkbox', { name: flow.select(second!.item.name), checked: false })
        .first()
        .check()
      const value = dollars(first!.item.baseValueCents + second!.item.baseValueCents)
      await expect(page.getByText(flow.selected(2, value))).toBeVisible()
      await page.getByRole('button', { name: flow.next, exact: true }).click()

      await page.getByRole('combobox', { name: flow.country }).selectOption('US')
      await page.getByRole('textbox', { name: flow.fields.name }).fill('Ann Collector')
      await page.getByRole('textbox', { name: flow.fields.line1 }).fill('1600 Pennsylvania Avenue NW')
      // Typed text stays when another state is chosen afterwards.
      await page.getByRole('textbox', { name: flow.fields.city }).fill('Washington')
      await page.getByRole('combobox', { name: flow.kinds.State }).selectOption('DC')
      await expect(page.getByRole('textbox', { name: flow.fields.city })).toHaveValue('Washington')
      await page.getByRole('button', { name: flow.next, exact: true }).click()
      await expect(page.getByRole('textbox', { name: flow.kinds.ZipCode })).toBeFocused()
      await expect(page.getByText(flow.problems['is required'])).toBeVisible()
      await page.getByRole('textbox', { name: flow.kinds.ZipCode }).fill('90210')
      await page.getByRole('button', { name: flow.next, exact: true }).click()
      await expect(page.getByText(flow.problems['is not valid for this country'])).toBeVisible()
      await accessible(page)
      await page.reload()
      await expect(page.getByRole('textbox', { name: flow.fields.line1 })).toHaveValue('1600 Pennsylvania Avenue NW')
      await page.getByRole('textbox', { name: flow.kinds.ZipCode }).fill('20500')
      await page.getByRole('button', { name: flow.next, exact: true }).click()

      const sign = page.getByRole('button', { name: flow.sign(points(2600)) })
      await expect(sign).toBeVisible()
      await page.reload()
      await expect(page.getByText('1600 Pennsylvania Avenue NW')).toBeVisible()
      await accessible(page)
      await sign.click()
      await expect(page).toHaveURL(/\/claims$/)
      const mineCard = page.getByRole('article').first()
      await expect(mineCard).toContainText(life.items('2'))
      await expect(mineCard).toContainText(life.states.requested)
      await mineCard.getByRole('button', { name: mine.address }).click()
      await expect(mineCard).toContainText('WASHINGTON, DC 20500')
      await accessible(page)
      const [{ id }] = (await getJson<Claim[]>(page, '/api/redemptions')) as [Claim]

      const adminContext = await browser.newContext({ locale })
      const adminPage = await adminContext.newPage()
      await signInWithPoints(adminPage, 1)
      await makeAdmin(server, (await getJson<{ walletAddress: string }>(adminPage, '/api/auth/user')).walletAddress)
      await adminPage.goto('/admin?tab=claims')
      await adminPage.getByRole('checkbox', { name: admin.selectAll }).check()
      await accessible(adminPage)
      await adminPage.getByRole('button', { name: admin.open }).click()
      await expect(adminPage.getByRole('region', { name: admin.packing })).toContainText('Ann Collector')
      await adminPage.getByRole('button', { name: admin.back }).click()
      await adminPage.getByRole('button', { name: admin.acts.pack, exact: true }).click()
      await adminPage
        .getByRole('dialog')
        .getByRole('button', { name: admin.titles.pack(1) })
        .click()
      await expect(adminPage.getByRole('article')).toHaveCount(0)
      await adminPage.getByRole('combobox', { name: list.status }).selectOption('packed')
      await adminPage.getByRole('article').getByRole('checkbox').check()
      await adminPage.getByRole('button', { name: admin.acts.ship, exact: true }).click()
      const dialog = adminPage.getByRole('dialog')
      await dialog.getByRole('button', { name: admin.titles.ship(1) }).click()
      await expect(dialog.getByText(admin.required).first()).toBeVisible()
      await dialog.getByRole('combobox', { name: admin.carrier }).selectOption('dhl')
      await dialog.getByRole('textbox').fill('JD0146')
      await dialog.getByRole('button', { name: admin.titles.ship(1) }).click()
      await expect(adminPage.getByRole('article')).toHaveCount(0)
      const acts = await getJson<{ act: string; request: { claims?: unknown } }[]>(adminPage, '/api/admin/audit')
      expect(acts.find(({ act }) => act === 'open-claims')?.request).toEqual({ claims: [id] })
      await adminContext.close()

      await page.reload()
      await expect(page.getByRole('link', { name: life.track('DHL Express', 'JD0146') })).toHaveAttribute(
        'href',
        /AWB=JD0146/,
      )
      await expect(page.getByRole('article').first()).toContainText(life.acts.ship)
      await expect(page.getByRole('button', { name: mine.cancel })).toBeHidden()
    })

    test('a claim is cancelled before it is packed, and its items return', async ({ page }) => {
      const [entry] = await signInWithVault(page)
      await page.goto(`/entry/${entry!.id}`)
      await page.getByRole('button', { name: flow.buttonOf(entry!.item.name) }).click()
      await page.getByRole('button', { name: flow.next, exact: true }).click()
      await page.getByRole('combobox', { name: flow.country }).selectOption('HK')
      await page.getByRole('textbox', { name: flow.fields.name }).fill('Ann Collector')
      await page.getByRole('textbox', { name: flow.fields.line1 }).fill('1 Peking Road')
      await page.getByRole('combobox', { name: flow.kinds.Area, exact: true }).selectOption('Kowloon')
      await page.getByRole('button', { name: flow.next, exact: true }).click()
      await page.getByRole('button', { name: flow.sign(points(900)) }).click()
      await expect(page).toHaveURL(/\/claims$/)
      await page.getByRole('button', { name: mine.cancel }).click()
      await expect(page.getByRole('article').first()).toContainText(life.states.cancelled)
      const { state } = await getJson<InventoryEntry>(page, `/api/inventory/${entry!.id}`)
      expect(state).toBe('held')
      expect((await getJson<{ balanceCents: number }>(page, '/api/wallet')).balanceCents).toBe(17500)
    })
  })
}

test('claimed items stay selected, however many items the vault holds', async ({ page }) => {
  await signInWithWallet(page, 350)
  const pulled: string[] = []
  for (let packs = 0; packs < 13; packs++) {
    const answer = await page.request.post('/api/packs/demo-pack-1/open', { data: { clientSeed: 'x' } })
    const { items } = (await answer.json()) as OpenResult
    pulled.push(...items.map(({ inventoryId }) => inventoryId))
  }
  for (const id of pulled) await sendToVault(page, id)
  const first = await getJson<InventoryEntry[]>(page, '/api/vault?limit=60')
  const beyond = pulled.find((id) => first.every((entry) => entry.id !== id))!
  const last = await getJson<InventoryEntry>(page, `/api/inventory/${beyond}`)
  await page.goto(`/claim?items=${encodeURIComponent(JSON.stringify([beyond]))}`)
  await expect(page.getByRole('checkbox', { name: flowEn.select(last.item.name), checked: true })).toBeVisible()
  await expect(page.getByText(flowEn.selected(1, dollars(last.item.baseValueCents)))).toBeVisible()
})
