import type { Page } from '@playwright/test'
import * as t from '../src/i18n/texts/en'
import { opening as openingTexts } from '../src/features/opening/texts/en'
import { pack as storeTexts } from '../src/features/store/texts/en'
import type { Pack, PackDetail } from '../src/contract/types'
import { dollars, percent } from '../src/lib/format'
import { getJson } from './support/api'
import { expect, test } from './support/server'
import { signInWithPoints, connectButton, walletRow } from './support/sign-in'
import { openButton } from './support/opening-dialog'

const tabs = ['Featured', 'Pokemon', 'One Piece', 'Basketball', 'Football', 'Soccer', 'Baseball', 'Labubu']
const names = [
  'Basketball',
  'Pokemon',
  'One Piece',
  'Football',
  'Soccer',
  'Baseball',
  'Labubu Base Box',
  'Labubu Deluxe Box',
]
const newPacks = ['Labubu Base Box', 'Labubu Deluxe Box']

const panel = (page: Page) => page.getByRole('tabpanel')
const cards = (page: Page) => panel(page).getByRole('article')
const card = (page: Page, name: string) => cards(page).filter({ has: page.getByRole('heading', { name, exact: true }) })

test.describe('the store', () => {
  test('has eight tabs, each with its packs and its hash', async ({ page }) => {
    await page.goto('/open-packs')
    await expect(page.getByRole('tab')).toHaveText(tabs.map((name) => new RegExp(`^${name}$`, 'i')))
    await expect(cards(page).getByRole('heading')).toHaveText(names)
    for (const name of tabs) {
      await page.getByRole('tab', { name }).click()
      await expect(page).toHaveURL(new RegExp(`/open-packs#${name.toLowerCase().replace(' ', '')}$`))
      const shown = { Featured: names, Labubu: newPacks }[name] ?? [name]
      await expect(cards(page).getByRole('heading')).toHaveText(shown)
    }
  })

  test('opens at the tab in its hash, and at Featured for an unknown or missing hash', async ({ page }) => {
    for (const [hash, tab] of [
      ['#onepiece', 'One Piece'],
      ['#labubu', 'Labubu'],
      ['#featured', 'Featured'],
      ['#Labubu', 'Featured'],
      ['#one piece', 'Featured'],
      ['#constructor', 'Featured'],
      ['', 'Featured'],
    ] as const) {
      await page.goto('about:blank') // otherwise only the hash would change
      await page.goto(`/open-packs${hash}`)
      await expect(page.getByRole('tab', { name: tab })).toHaveAttribute('aria-selected', 'true')
      await expect(page.getByRole('tab', { selected: true })).toHaveCount(1)
    }
  })

  test('shows prices and new packs, and visitors can view packs', async ({ page }) => {
    await page.goto('/open-packs')
    await expect(cards(page)).toHaveCount(names.length)
    for (const { id, name, price } of (await getJson<Pack[]>(page, '/api/packs')).filter((pack) =>
      names.includes(pack.name),
    )) {
      await expect(card(page, name).getByTitle(t.catalogue.store.priceIn(price.slice(1)))).toHaveText(price.slice(1))
      await expect(card(page, name).getByText(t.catalogue.store.new, { exact: true })).toHaveCount(
        newPacks.includes(name) ? 1 : 0,
      )
      const view = card(page, name).getByRole('link', { name: `View Pack ${name}` })
      await expect(view).toHaveText('View Pack')
      await expect(view).toHaveAttribute('href', `/pack/${id}`)
    }
    await expect(panel(page).getByRole('button')).toHaveCount(0)
    await card(page, 'Soccer').getByRole('link', { name: 'View Pack' }).click()
    await expect(page.getByRole('heading', { level: 1, name: 'Soccer' })).toBeVisible()
  })

  test('lets signed-in users open a pack directly or through its card', async ({ page }) => {
    await signInWithPoints(page, 500)
    await page.goto('/open-packs')
    await expect(panel(page).getByRole('button', { name: /^Open Pack/ })).toHaveText(names.map(() => 'Open Pack'))
    await page.getByRole('button', { name: 'Open Pack Football' }).click()
    await expect(page.getByRole('dialog', { name: openingTexts.dialog('Football') })).toBeVisible()
    await page.keyboard.press('Escape')
    await card(page, 'Football').getByRole('link', { name: 'Football' }).click()
    await expect(page).toHaveURL(/\/pack\/4$/)
    await expect(page).toHaveTitle('Football · Kaibao 开包')
  })
})

test.describe('a pack’s page', () => {
  test('shows the server’s odds, value and best items', async ({ page }) => {
    for (const id of ['2', '3', '7', '8', 'demo-pack-1']) {
      const pack = await getJson<PackDetail>(page, `/api/packs/${id}`)
      await page.goto(`/pack/${id}`)
      const odds = page.getByRole('region', { name: 'probability' })
      await odds.getByText(storeTexts.howComputed).click()
      const rows = odds.getByRole('table', { name: storeTexts.oddsTable }).getByRole('row')
      await expect(rows.getByRole('rowheader')).toHaveText(pack.odds.map(({ label }) => label))
      await expect(rows).toContainText([
        storeTexts.oddsColumns.chance,
        ...pack.odds.map(({ published, chance }) => `${percent(published)}${percent(chance)}`),
      ])
      await expect(odds).toContainText(`${storeTexts.expectedValue} ${dollars(pack.expectedValueCents)}`)
      await expect(odds).toContainText(storeTexts.footnote)
      const toys = pack.series[0]?.startsWith('Labubu') ?? false
      const showcase = page.getByRole('region', { name: toys ? 'potential rare' : 'potential grails' })
      await expect(showcase.getByRole('button', { name: /^Enlarge/ })).toHaveCount(pack.showcase.length)
      await expect(showcase.getByRole('heading', { level: 3 })).toHaveText(
        pack.showcase.map(({ name }) => shortened(name, toys)),
      )
      await expect(page.getByRole('region', { name: storeTexts.price })).toContainText(
        `${storeTexts.price}${Math.floor(pack.priceCents / 100)}`,
      )
    }
  })

  for (const id of ['2', '8']) {
    test(`of pack ${id} enlarges an item and then restores focus`, async ({ page }) => {
      const { showcase, series } = await getJson<PackDetail>(page, `/api/packs/${id}`)
      const toys = series[0]?.startsWith('Labubu') ?? false
      const [first] = showcase
      if (!first) throw new Error('an empty showcase')
      await page.goto(`/pack/${id}`)
      const item = page.getByRole('button', { name: storeTexts.enlarge(first.name) })
      await item.click()
      const overlay = page.getByRole('dialog', { name: shortened(first.name, toys) })
      await expect(overlay).toContainText(first.series)
      await expect(overlay.getByText(dollars(first.baseValueCents))).toHaveCount(toys ? 1 : 0)
      await expect(overlay.getByRole('img', { name: first.name })).toBeVisible()
      await page.keyboard.press('Escape')
      await expect(overlay).toBeHidden()
      await expect(item).toBeFocused()
    })
  }

  test('links to the other categories', async ({ page }) => {
    await page.goto('/pack/2')
    const more = page.getByRole('navigation', { name: 'more packs' }).getByRole('link')
    await expect(more).toHaveText(['Basketball', 'Pokemon', 'Football', 'Soccer', 'Baseball', 'One Piece', 'Labubu'])
    const hashes = ['basketball', 'pokemon', 'football', 'soccer', 'baseball', 'onepiece', 'labubu']
    for (const [index, hash] of hashes.entries()) {
      await expect(more.nth(index)).toHaveAttribute('href', `/open-packs#${hash}`)
    }
    await more.last().click()
    await expect(cards(page).getByRole('heading')).toHaveText(newPacks)
  })

  test('that doesn’t exist links back to the store', async ({ page }) => {
    await page.goto('/pack/999')
    await expect(page.getByRole('heading', { level: 1, name: 'Pack Not Found' })).toBeVisible()
    const back = page.getByRole('link', { name: 'Back to Packs' })
    await expect(back).toHaveAttribute('href', '/open-packs')
    await back.click()
    await expect(cards(page)).toHaveCount(names.length)
  })

  test('asks a visitor to connect a wallet', async ({ page }) => {
    await page.goto('/pack/2')
    await expect(openButton(page)).toHaveCount(0)
    await expect(page.getByText(storeTexts.balance)).toBeHidden()
    await page.getByRole('main').getByRole('button', { name: 'connect wallet' }).click()
    await walletRow(page, /Demo wallet/).click()
    await expect(page.getByRole('main').getByRole('button', { name: t.catalogue.store.topUp('25') })).toBeEnabled()
    await expect(connectButton(page)).toBeHidden()
  })

  test('adds the points that a user lacks, and then opens the pack with the same button', async ({ page }) => {
    await signInWithPoints(page, 24.99)
    await page.goto('/pack/2')
    const price = page.getByRole('region', { name: storeTexts.price })
    await expect(price).toContainText(`${storeTexts.balance}24`)
    await expect(openButton(page)).toHaveCount(0)
    const topUp = price.getByRole('button', { name: t.catalogue.store.topUp('1') })
    await expect(topUp).toHaveAccessibleDescription(storeTexts.testPoints)
    await topUp.click()
    await expect(openButton(page)).toBeEnabled()
    expect((await getJson<{ balanceCents: number }>(page, '/api/wallet')).balanceCents).toBe(2599)
    await openButton(page).click()
    await expect(page.getByRole('dialog', { name: openingTexts.dialog('Pokemon') })).toBeVisible()
  })
})

/** Names of toys are truncated to 40 characters. */
function shortened(name: string, toy: boolean): string {
  return toy && name.length > 40 ? `${name.slice(0, 40)}...` : name
}
