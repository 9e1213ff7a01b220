import type { Locator, Page } from '@playwright/test'
import { pack as packZh, store as storeCardZh } from '../src/features/store/texts/zh'
import { admin as operateZh, editing as editingZh } from '../src/features/admin/texts/zh'
import { catalogue as catalogueZh, shell as shellZh } from '../src/i18n/texts/zh'
import { percent, shortDollars } from '../src/lib/format'
import type { AdminPack, Item, Pack, PackDetail } from '../src/contract/types'
import { accessibilityViolations } from './support/axe'
import { getJson } from './support/api'
import { expect, makeAdmin, type Server, test } from './support/server'
import { signInWithPoints } from './support/sign-in'

test.use({ ownServer: 'admin' })

const odds = { rarities: { Common: 0.6, Rare: 0.25, Epic: 0.1, Legendary: 0.04, Mythic: 0.01 }, itemsPerPack: 5 }

async function signInAsAdmin(page: Page, server: Server): Promise<void> {
  await signInWithPoints(page, 100)
  const { walletAddress } = await getJson<{ walletAddress: string }>(page, '/api/auth/user')
  await makeAdmin(server, walletAddress)
}

async function makePack(page: Page, name: string, more: object = {}): Promise<Pack> {
  const data = { name, priceCents: 2500, lootTableJson: odds, series: ['Starter'], ...more }
  const answer = await page.request.post('/api/admin/packs', { data })
  await expect(answer).toBeOK()
  return (await answer.json()) as Pack
}

async function expectAccessible(page: Page): Promise<void> {
  expect(await accessibilityViolations(page)).toEqual([])
}

// Journeys with users and files are in English (admin-users.spec.ts, import.spec.ts).
test.describe('in Chinese', () => {
  const [t, store, shell, storeTexts] = [operateZh, catalogueZh.store, shellZh, packZh]
  const [name, refused] = ['Evening', '须为名称，不能只是数字或价格。']
  test.use({ locale: 'zh-CN' })

  const open = async (page: Page, label: string): Promise<Locator> => {
    await page.getByRole('button', { name: label }).click()
    return page.getByRole('dialog', { name: label })
  }

  test('an admin creates an item, and each refused field says why', async ({ page, server }) => {
    await signInAsAdmin(page, server)
    await page.goto('/admin')
    const item = await open(page, t.createItem)
    await item.getByLabel(t.name).fill('4e3')
    await item.getByLabel(t.series).fill(`Series of ${name}`)
    await item.getByLabel(t.grader, { exact: true }).selectOption('PSA')
    await item.getByLabel(t.certNumber).fill('0000417733')
    await item.getByLabel(t.grade, { exact: true }).fill('十')
    await item.getByLabel(t.baseValueDollars).fill('19.99')
    const create = item.getByRole('button', { name: t.create })
    await create.click()
    await expect(item.getByLabel(t.grade, { exact: true })).toBeFocused()
    await expect(item.getByLabel(t.grade, { exact: true })).toHaveAccessibleDescription(/.+/)
    await item.getByLabel(t.grade, { exact: true }).fill('10')
    await create.click()
    await expect(item.getByLabel(t.name)).toHaveAccessibleDescription(refused)
    await expect(page.getByRole('region', { name: shell.notifications, includeHidden: true })).toContainText(refused)
    await expectAccessible(page)

    await item.getByLabel(t.name).fill(`2026 ${name} Card PSA 9 MINT`)
    await create.click()
    await expect(item.getByLabel(t.grade, { exact: true })).toHaveAccessibleDescription(/.+/)
    await expect(item.getByLabel(t.name)).toHaveAccessibleDescription('')
    await item.getByLabel(t.grade, { exact: true }).fill('9')
    await create.click()
    await expect(page.getByText(t.itemCreated, { exact: true })).toBeVisible()
    const items = await getJson<Item[]>(page, `/api/items?series=${encodeURIComponent(`Series of ${name}`)}`)
    expect(items).toMatchObject([
      {
        name: `2026 ${name} Card PSA 9 MINT`,
        baseValueCents: 1999,
        certType: 'PSA',
        certNumber: '0000417733',
        grade: 9,
      },
    ])
  })

  test('a refused pack over all series comes with a suggestion, which publishes it', async ({ page, server }) => {
    await signInAsAdmin(page, server)
    await page.goto('/admin')
    await page.getByRole('tab', { name: t.tab.packs, exact: true }).click()
    const dialog = await open(page, t.createPack)
    await dialog.getByLabel(editingZh.pack.name, { exact: true }).fill(`${name} Five`)
    await dialog.getByLabel(t.priceDollars).fill('25')
    await dialog.getByRole('button', { name: t.create }).click()
    const ways = dialog.getByRole('region', { name: t.whatFits })
    await expect(ways).toContainText(t.raisePrice)
    await expectAccessible(page)
    const price = ways.getByRole('button', { name: /^\$/ })
    const lowest = Math.round(Number((await price.innerText()).replace(/[$,]/g, '')) * 100)
    await price.click()
    await dialog.getByRole('button', { name: t.create }).click()
    await expect(page.getByText(t.packCreated, { exact: true })).toBeVisible()
    await expect(page.getByRole('listitem').filter({ hasText: `${name} Five` })).toContainText(t.active)
    const pack = (await getJson<Pack[]>(page, '/api/packs')).find((found) => found.name === `${name} Five`)
    expect(pack).toMatchObject({
      priceCents: lowest,
      itemsPerPack: 5,
      supply: -1,
      isActive: true,
      soldOut: false,
      series: [],
    })
    const trail = await getJson<{ act: string }[]>(page, '/api/admin/audit?limit=1')
    expect(trail.map(({ act }) => act)).toEqual(['create-pack'])
    await page.goto('/open-packs')
    await expect(page.getByRole('heading', { name: `${name} Five`, exact: true })).toBeVisible()
  })

  test('a suggested series is applied with one click, and its pack is opened', async ({ page, server }) => {
    await signInAsAdmin(page, server)
    await page.goto('/admin')
    await page.getByRole('tab', { name: t.tab.packs, exact: true }).click()
    const dialog = await open(page, t.createPack)
    await dialog.getByLabel(editingZh.pack.name, { exact: true }).fill(`${name} Starter`)
    await dialog.getByLabel(t.priceDollars).fill('25')
    await dialog.getByLabel(t.drawsFrom).selectOption('Labubu Collection')
    await dialog.getByRole('button', { name: t.create }).click()
    await expect(dialog.getByLabel(t.drawsFrom)).toHaveAccessibleDescription(/.+/)
    await dialog.getByRole('button', { name: catalogueZh.series.Starter }).click()
    await dialog.getByLabel(t.itemsPerPack).fill('4')
    await dialog.getByRole('button', { name: t.create }).click()
    await expect(page.getByText(t.packCreated, { exact: true })).toBeVisible()
    const pack = (await getJson<Pack[]>(page, '/api/packs')).find((found) => found.name === `${name} Starter`)
    expect(pack).toMatchObject({ series: ['Starter'], itemsPerPack: 4 })
    await expect(await page.request.post(`/api/packs/${pack!.id}/open`, { data: { clientSeed: name } })).toBeOK()
  })

  test('a sold-out pack says so in place of its button, and keeps its demo', async ({ page, server }) => {
    await signInAsAdmin(page, server)
    const { id } = await makePack(page, `${name} Gone`, { supply: 1, sealing: 'instant' })
    await page.goto('/open-packs')
    const card = page.getByRole('article').filter({ has: page.getByRole('heading', { name: `${name} Gone` }) })
    await expect(card.getByRole('button', { name: store.openPack })).toBeEnabled()
    await expect(await page.request.post(`/api/packs/${id}/open`, { data: { clientSeed: name } })).toBeOK()
    await page.reload()
    await expect(card.getByRole('button')).toBeDisabled()
    await expect(card.getByRole('button')).toHaveText(store.soldOut)
    await card.getByRole('link').click()
    const box = page.getByRole('region', { name: storeTexts.price })
    await expect(box.getByRole('button', { name: store.soldOut })).toBeDisabled()
    await expect(box.getByRole('button', { name: storeTexts.openPack })).toHaveCount(0)
    await expect(box.getByRole('button', { name: storeTexts.demoRip })).toBeEnabled()
    await expectAccessible(page)
  })

  test('figures that aren’t exact say so on the store card and on the pack’s page', async ({ page, server }) => {
    await signInAsAdmin(page, server)
    for (const [rarity, baseValueCents] of [
      ['Common', 100_001],
      ['Mythic', 2_000_000],
    ] as const) {
      const data = { name: `${name} ${rarity}`, series: name, rarity, baseValueCents }
      await expect(await page.request.post('/api/admin/items', { data })).toBeOK()
    }
    const { id } = await makePack(page, `${name} Vast`, {
      priceCents: 1_000_000,
      lootTableJson: { rarities: { Common: 0.9, Mythic: 0.1 }, itemsPerPack: 2 },
      series: [name],
    })
    const pack = await getJson<PackDetail>(page, `/api/packs/${id}`)
    expect(pack.approximate).toBe(true)
    const chance = percent(pack.beatsPriceChance, 0)
    await page.goto('/open-packs')
    const card = page.getByRole('article').filter({ has: page.getByRole('heading', { name: `${name} Vast` }) })
    await expect(card).toContainText(storeCardZh.about(chance))
    await page.goto(`/pack/${id}`)
    await expect(page.getByRole('region', { name: storeTexts.questions.get })).toContainText(
      storeTexts.distributionLead({
        chance,
        price: '$10,000',
        median: shortDollars(pack.distribution.medianCents),
        cards: 2,
        approximate: true,
      }),
    )
  })

  test('an admin sees packs that are not on sale', async ({ page, server }) => {
    await signInAsAdmin(page, server)
    await makePack(page, `${name} Hidden`, { isActive: false })
    await makePack(page, `${name} Empty`, { supply: 0 })
    await page.goto('/admin')
    await page.getByRole('tab', { name: t.tab.packs, exact: true }).click()
    const panel = page.getByRole('tabpanel').getByRole('listitem')
    await expect(panel.filter({ hasText: `${name} Hidden` })).toContainText(t.inactive)
    await expect(panel.filter({ hasText: `${name} Empty` })).toContainText(t.soldOut)
    const all = await getJson<AdminPack[]>(page, '/api/admin/packs')
    await expect(panel).toHaveCount(all.length)
    const onSale = await getJson<Pack[]>(page, '/api/packs')
    expect(onSale.map((pack) => pack.name)).not.toContain(`${name} Hidden`)
  })
})
