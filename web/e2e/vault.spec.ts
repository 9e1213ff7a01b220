import type { Page } from '@playwright/test'
import { cards as cardsEn, vault as vaultEn } from '../src/features/inventory/texts/en'
import { vault as vaultZh, cards as cardsZh } from '../src/features/inventory/texts/zh'
import { market as marketEn } from '../src/features/market/texts/en'
import * as zh from '../src/i18n/texts/zh'
import type { InventoryEntry, InventorySummary, VaultCard } from '../src/contract/types'
import { dollars } from '../src/lib/format'
import { getJson, sendToVault } from './support/api'
import { cardAt, scrollToCard } from './support/grid'
import { expect, test } from './support/server'
import { packNameIn } from '../src/lib/pack-name'
import { signInWithPoints } from './support/sign-in'
import { openIntro, resultsHeading, skipToResults, startButton, openingDialog, toast } from './support/opening-dialog'

const { filter: bar } = marketEn
const vaultList = (page: Page, vault = vaultEn) => page.getByRole('list', { name: vault.list })
const chip = (page: Page, text: string) => page.getByRole('button', { name: bar.remove(text), exact: true })
const inVault = (page: Page, query = '') => getJson<InventoryEntry[]>(page, `/api/vault${query}`)

async function openPacks(page: Page, ...packs: string[]): Promise<InventoryEntry[]> {
  for (const pack of packs) {
    await expect(await page.request.post(`/api/packs/${pack}/open`, { data: { clientSeed: pack } })).toBeOK()
  }
  return getJson<InventoryEntry[]>(page, '/api/inventory/me?limit=200')
}

/** Signs in a user and vaults the pulls of some packs. */
async function signInWithVault(page: Page, ...packs: string[]): Promise<InventoryEntry[]> {
  await signInWithPoints(page, 1000)
  for (const { id } of await openPacks(page, ...packs)) await sendToVault(page, id)
  return inVault(page, '?limit=200')
}

/** Expects the page to show the server's result for the query, in its order. */
async function expectShows(page: Page, query: string): Promise<void> {
  const names = (await inVault(page, query)).map(({ item }) => item.name)
  await expect(vaultList(page).getByRole('heading')).toHaveText(names)
}

// The other journeys are in English.
test.describe('in Chinese', () => {
  const [t, cards, vault] = [zh, cardsZh, vaultZh]
  test.use({ locale: 'zh-CN' })

  test('a card moves from the collection to the vault and stays there', async ({ page }) => {
    await signInWithPoints(page, 100)
    const [other, sent] = await openPacks(page, '2', '3')
    if (!sent || !other) throw new Error('nothing pulled')
    const { item } = sent

    await page.goto('/my-collection')
    await page.getByRole('button', { name: cards.keepItem(item.name) }).click()
    const region = page.getByRole('region', { name: t.shell.notifications })
    await expect(region).toContainText(cards.kept + cards.keptText(item.name))
    await expect(page.getByRole('main').getByText(cards.vaulted)).toHaveCount(1)
    await expect(page.getByRole('button', { name: cards.keepItem(other.item.name) })).toBeVisible()
    expect((await inVault(page)).map(({ id }) => id)).toEqual([sent.id])

    const nav = page.getByRole('navigation', { name: t.shell.nav.label })
    await nav.getByRole('link', { name: t.shell.nav.vault, exact: true }).click()
    const card = vaultList(page, vault).getByRole('article')
    await expect(card).toHaveCount(1)
    await expect(card).toContainText(item.name)
    await expect(card).toContainText(t.catalogue.rarities[item.rarity])
    await expect(card).toContainText(vault.baseValue + dollars(item.baseValueCents))
    await expect(card).toContainText(dollars(sent.sellBackCents))
    await expect(card.getByRole('link', { name: item.name })).toHaveAttribute('href', `/entry/${sent.id}`)
    await expect(card).toContainText(`#${item.certNumber} · ${t.catalogue.sample}`)
    await expect(card.getByRole('link', { name: item.certNumber })).toHaveCount(0)

    await nav.getByRole('link', { name: t.shell.nav.myCards, exact: true }).click()
    const mine = page.getByRole('list', { name: cards.list }).getByRole('article')
    await expect(mine).toHaveCount(1)
    await expect(mine).toContainText(cards.from(packNameIn('zh', sent)))
    await expect(page.getByText(cards.totalValue).locator('..')).toContainText(dollars(item.baseValueCents))

    const [kept] = await getJson<VaultCard[]>(page, '/api/inventory/vault')
    expect(kept).toMatchObject({ id: sent.id, itemName: item.name, value: item.baseValueCents / 100 })
    const { count, vaultedCount } = await getJson<InventorySummary>(page, '/api/inventory/summary')
    expect({ count, vaultedCount }).toEqual({ count: 2, vaultedCount: 1 })
  })
})

test('pulled items can be sent to the vault at once', async ({ page }) => {
  await signInWithPoints(page, 25)
  await openIntro(page, 'demo-pack-1')
  await startButton(page).click()
  await skipToResults(page)
  await expect(resultsHeading(page)).toBeVisible()
  const keep = openingDialog(page).getByRole('button', { name: cardsEn.keep })
  await expect(keep).toHaveCount(5)
  await keep.first().click()
  await expect(toast(page)).toContainText('Card Sent to Vault!')
  await expect(keep).toHaveCount(4)
  await expect(openingDialog(page).getByText(cardsEn.vaulted)).toBeVisible()
  expect(await inVault(page)).toHaveLength(1)
})

test('a refused send to the vault shows an error and can be retried', async ({ page }) => {
  await signInWithPoints(page, 25)
  await openPacks(page, '2')
  await page.goto('/my-collection')
  const body = { message: 'No.', code: 'unavailable', requestId: 'e2e' }
  await page.route('**/api/inventory/vault', (route) => route.fulfill({ status: 503, json: body }), { times: 1 })
  const keep = page.getByRole('button', { name: cardsEn.keep })
  await keep.click()
  await expect(toast(page)).toContainText('ErrorFailed to send card to vault. Please try again.')
  expect(await inVault(page)).toEqual([])
  await keep.click()
  await expect(page.getByRole('main').getByText(cardsEn.vaulted)).toBeVisible()
  expect(await inVault(page)).toHaveLength(1)
})

test('a lost response is retried, and the card enters the vault once', async ({ page }) => {
  await signInWithPoints(page, 25)
  await openIntro(page)
  await startButton(page).click()
  await skipToResults(page)
  await page.route(
    '**/api/inventory/vault',
    async (route) => {
      await route.fetch()
      await route.abort('connectionreset')
    },
    // The page retries twice by itself.
    { times: 3 },
  )
  const keep = openingDialog(page).getByRole('button', { name: cardsEn.keep })
  await keep.click()
  await expect(toast(page)).toContainText('Failed to send card to vault.')
  expect(await inVault(page)).toHaveLength(1)
  await keep.click()
  await expect(toast(page)).toContainText('Card Sent to Vault!')
  await expect(openingDialog(page).getByText(cardsEn.vaulted)).toBeVisible()
  expect(await inVault(page)).toHaveLength(1)
})

test('the filter bar filters and sorts the vault, and the URL keeps the choices', async ({ page }) => {
  await signInWithVault(page, 'demo-pack-1', 'demo-pack-2', '2', '3', '7')
  await page.goto('/vault')
  await expectShows(page, '')

  await page.getByRole('combobox', { name: bar.sort }).selectOption('Price: high to low')
  await expectShows(page, '?sortBy=price-high')
  await page.getByRole('combobox', { name: bar.category }).selectOption('Pokemon')
  await expectShows(page, '?sortBy=price-high&series=pokemon')
  await expect(page).toHaveURL('/vault?series=pokemon&sortBy=price-high')
  await chip(page, 'Pokemon').click()
  await expect(chip(page, 'Pokemon')).toBeHidden()
  await expectShows(page, '?sortBy=price-high')

  const advanced = page.getByRole('button', { name: bar.advanced })
  await expect(page.getByRole('combobox', { name: bar.minGrade })).toBeHidden()
  await advanced.click()
  await page.getByRole('combobox', { name: bar.grader }).selectOption('PSA')
  await page.getByRole('combobox', { name: bar.minGrade }).selectOption('8')
  await page.getByRole('textbox', { name: bar.minPrice }).fill('1')
  await page.getByRole('textbox', { name: bar.maxPrice }).fill('2000.75')
  await page.getByRole('searchbox').fill('psa')
  const query = '?sortBy=price-high&certification=PSA&grade=8&minPrice=1&maxPrice=2000&search=psa'
  await expect(chip(page, '“psa”')).toBeVisible()
  await expectShows(page, query)

  await page.reload()
  await expect(page.getByRole('searchbox')).toHaveValue('psa')
  await expect(page.getByRole('textbox', { name: bar.maxPrice })).toHaveValue('2000')
  await expectShows(page, query)
  await page.getByRole('button', { name: bar.clearAll }).click()
  await expect(page).toHaveURL('/vault')
  await expect(page.getByRole('searchbox')).toHaveValue('')
  await expectShows(page, '')
})

test('Back returns to earlier filters, not to each typed letter', async ({ page }) => {
  const [first] = await signInWithVault(page, 'demo-pack-1')
  const word = first!.item.name.split(' ')[1]!
  await page.goto('/my-cards')
  await page.getByRole('navigation').getByRole('link', { name: 'Vault', exact: true }).click()
  await page.getByRole('combobox', { name: bar.sort }).selectOption('Name: A to Z')
  await expect(page).toHaveURL('/vault?sortBy=name')
  const box = page.getByRole('searchbox')
  for (const words of [word, `${word} zzz`]) {
    await box.fill(words)
    await expect(chip(page, `“${words}”`)).toBeVisible()
  }
  await expect(page.getByText(vaultEn.noMatchText)).toBeVisible()
  await page.goBack()
  await expect(page).toHaveURL('/vault?sortBy=name')
  await expect(box).toHaveValue('')
  await expectShows(page, '?sortBy=name')
  await page.goBack()
  await expect(page).toHaveURL('/vault')
  await page.goBack()
  await expect(page).toHaveURL('/my-cards')
})

test('filters without matches can be cleared, and an empty vault explains itself', async ({ page }) => {
  await signInWithVault(page, '2')
  await page.goto('/vault?search=nosuchthing')
  await expect(page.getByText(vaultEn.noMatchText)).toBeVisible()
  await page.getByRole('main').getByRole('button', { name: bar.clearAll }).last().click()
  await expect(vaultList(page).getByRole('article')).toHaveCount(1)

  await page.context().clearCookies()
  await signInWithPoints(page, 25)
  await page.goto('/vault')
  await expect(page.getByRole('heading', { name: vaultEn.comingSoon })).toBeVisible()
  await expect(page.getByText(vaultEn.emptyText)).toBeVisible()
})

test('without a wallet, an overlay covers the vault', async ({ page }) => {
  const requests: string[] = []
  page.on('request', (request) => /\/api\/(vault|inventory)/.test(request.url()) && requests.push(request.url()))
  await page.goto('/vault')
  await expect(page.getByText(vaultEn.signInTitle)).toBeVisible()
  await expect(page.locator('[inert]').getByRole('searchbox')).toHaveCount(1)
  expect(requests).toEqual([])
})

test('a long vault loads while scrolling, and its totals include all cards', async ({ page }) => {
  const packs = Array.from({ length: 13 }, (_, at) => (at % 2 ? 'demo-pack-1' : 'demo-pack-2'))
  const kept = await signInWithVault(page, ...packs)
  expect(kept).toHaveLength(65)
  await page.goto('/vault?sortBy=price-low')
  const dearest = await getJson<InventoryEntry[]>(page, '/api/vault?sortBy=price-high&limit=1')
  await scrollToCard(page, 65)
  await expect(cardAt(page, 65)).toContainText(dollars(dearest[0]!.item.baseValueCents))
  await page.goto('/my-cards')
  await expect(page.getByText(cardsEn.totalCards).locator('..')).toContainText('65')
  const total = kept.reduce((sum, { item }) => sum + item.baseValueCents, 0)
  await expect(page.getByText(cardsEn.totalValue).locator('..')).toContainText(dollars(total))
})
