import type { Page } from '@playwright/test'
import { bids as bidsEn } from '../src/features/bids/texts/en'
import { bids as bidsZh } from '../src/features/bids/texts/zh'
import { collection as collectionEn } from '../src/features/inventory/texts/en'
import { value as valueEn } from '../src/features/inventory/value/texts/en'
import { collection as collectionZh } from '../src/features/inventory/texts/zh'
import { value as valueZh } from '../src/features/inventory/value/texts/zh'
import { cart as cartEn, market as marketEn, trade as tradeEn } from '../src/features/market/texts/en'
import { cart as cartZh, market as marketZh, trade as tradeZh } from '../src/features/market/texts/zh'
import { finish as finishEn, set as setEn, sets as setsEn } from '../src/features/sets/texts/en'
import { finish as finishZh, set as setZh, sets as setsZh } from '../src/features/sets/texts/zh'
import * as en from '../src/i18n/texts/en'
import * as zh from '../src/i18n/texts/zh'
import type { Bid, CardSet, InventoryEntry, SetPage } from '../src/contract/types'
import { dollars, points } from '../src/lib/format'
import { getJson, listForSale } from './support/api'
import { buyListing } from './support/market'
import { expect, test } from './support/server'
import { newVisitor, signInWithPoints } from './support/sign-in'

// Bids and listings would disturb other journeys.
test.use({ ownServer: 'sets' })

const languages = [
  {
    locale: 'en-US',
    t: en,
    sets: setsEn,
    set: setEn,
    finish: finishEn,
    bids: bidsEn,
    cart: cartEn,
    trade: tradeEn,
    market: marketEn,
    collection: collectionEn,
    value: valueEn,
  },
  {
    locale: 'zh-CN',
    t: zh,
    sets: setsZh,
    set: setZh,
    finish: finishZh,
    bids: bidsZh,
    cart: cartZh,
    trade: tradeZh,
    market: marketZh,
    collection: collectionZh,
    value: valueZh,
  },
]

const inventory = (page: Page) => getJson<InventoryEntry[]>(page, '/api/inventory/me?limit=200')
const openPack = async (page: Page, pack: string, clientSeed: string) =>
  expect(await page.request.post(`/api/packs/${pack}/open`, { data: { clientSeed } })).toBeOK()
const summary = (page: Page, title: string) => page.getByRole('region', { name: title })

/** Signs in a user who owns several Pokemon cards. */
async function signInWithCards(page: Page, packs: number): Promise<InventoryEntry[]> {
  await signInWithPoints(page, 5000)
  for (let n = 0; n < packs; n++) await openPack(page, '2', `sets ${n}`)
  return inventory(page)
}

/** The set of an item and what the visitor has of it. */
async function setOf(page: Page, name: string): Promise<SetPage> {
  const all = await getJson<CardSet[]>(page, '/api/sets?series=pokemon&limit=200')
  const found = all.find((one) => one.name === name)
  return getJson<SetPage>(page, `/api/sets/${found?.id}?limit=200`)
}

for (const { locale, t, sets, set, finish, bids, cart, trade, market, collection, value } of languages) {
  test.describe(`in ${locale}`, () => {
    test.use({ locale })

    test('a collector finishes a set from the cheapest listings and bids on the rest', async ({
      page,
      browser,
      server,
    }) => {
      const seller = await newVisitor(browser, server.url, locale)
      const offered = await signInWithCards(seller, 3)
      const own = await signInWithCards(page, 2)
      const missing = offered.filter(({ item }) => own.every((entry) => entry.item.id !== item.id))
      const [wanted] = missing
      if (!wanted?.item.set) throw new Error('nothing to sell')
      const price = wanted.item.baseValueCents + 13
      await listForSale(seller, wanted.id, price)
      await seller.context().close()
      const before = await setOf(page, wanted.item.set)

      await page.goto('/')
      await page.getByRole('navigation').getByRole('link', { name: t.shell.nav.sets, exact: true }).click()
      await page.getByRole('combobox', { name: sets.category }).selectOption('pokemon')
      await expect(page).toHaveURL('/sets?series=pokemon')
      const tile = page
        .getByRole('article')
        .filter({ has: page.getByRole('link', { name: wanted.item.set, exact: true }) })
      await expect(tile).toContainText(sets.progress(before.ownedCount!, before.cardCount))
      await tile.getByRole('link', { name: wanted.item.set }).click()
      await expect(page.getByRole('heading', { level: 1, name: wanted.item.set })).toBeVisible()

      const panel = summary(page, finish.title)
      await expect(panel).toContainText(finish.missing(before.finish!.missingCount))
      await expect(panel).toContainText(points(before.finish!.totalCents))
      const card = page.getByRole('article').filter({ hasText: wanted.item.name })
      await expect(card).toContainText(set.missing)
      await expect(
        card.getByRole('button', { name: trade.withItem(set.from(points(price)), wanted.item.name) }),
      ).toBeVisible()

      const { lines } = before.finish!
      await panel.getByRole('button', { name: finish.add(lines.length) }).click()
      await panel.getByRole('button', { name: cart.open(lines.length) }).click()
      const dialog = page.getByRole('dialog', { name: cart.title })
      await expect(dialog).toContainText(wanted.item.name)
      await page.keyboard.press('Escape')

      // Bids on the missing cards that nobody sells.
      const { notForSale } = before.finish!
      await panel.getByRole('button', { name: finish.bid(notForSale.length), exact: true }).click()
      const form = page.getByRole('dialog', { name: bids.many.title(notForSale.length) })
      const [first, ...others] = notForSale
      for (const { name } of others) await form.getByRole('textbox', { name: bids.many.price(name) }).fill('')
      await form.getByRole('textbox', { name: bids.many.price(first!.name) }).fill('0.55')
      await expect(form).toContainText(bids.many.held(1) + points(55))
      await form.getByRole('button', { name: bids.many.confirm, exact: true }).click()
      await expect(form).toBeHidden()
      await expect(page.getByRole('region', { name: t.shell.notifications })).toContainText(bids.many.placed(1))
      expect(await getJson<Bid[]>(page, '/api/bids?state=open')).toMatchObject([
        { scope: { itemId: first!.id }, priceCents: 55 },
      ])

      // The card that is for sale is bought on the page.
      const from = { ...trade, buy: set.from }
      await buyListing(card, from, price, wanted.item.name)
      await expect(card).toContainText(set.owned(1))
      await expect(page.getByText(sets.progress(before.ownedCount! + 1, before.cardCount))).toBeVisible()
      expect((await setOf(page, wanted.item.set)).ownedCount).toBe(before.ownedCount! + 1)
    })

    test('visitors see sets and prices without progress', async ({ page }) => {
      await page.goto('/sets?series=onepiece')
      const [all] = await getJson<CardSet[]>(page, '/api/sets?series=onepiece')
      const tile = page.getByRole('article').first()
      await expect(tile).toContainText(sets.items(all!.cardCount))
      await tile.getByRole('link').click()
      await expect(page.getByText(set.signIn)).toBeVisible()
      await expect(page.getByRole('list', { name: set.list }).getByRole('article').first()).toBeVisible()
      await expect(page.getByRole('heading', { name: finish.title })).toHaveCount(0)
      await expect(page.getByText(set.missing, { exact: true })).toHaveCount(0)
    })

    test('my collection has profit by card, filters, value over time and sets', async ({ page }) => {
      const entries = await signInWithCards(page, 2)
      await page.goto('/my-collection')
      for (const [at, { item, paidCents }] of entries.entries()) {
        const article = page.getByRole('article').nth(at)
        await expect(article).toContainText(dollars(paidCents!))
        const profit = item.baseValueCents - paidCents!
        await expect(article).toContainText(collection.profit + (profit > 0 ? '+' : '') + dollars(profit))
      }
      await page.getByRole('combobox', { name: market.filter.sort }).selectOption('price-high')
      await page.getByRole('tab', { name: collection.unlisted, exact: true }).click()
      const sorted = entries.toSorted((a, b) => b.item.baseValueCents - a.item.baseValueCents)
      const list = page.getByRole('list', { name: collection.unlisted })
      await expect(list.getByRole('heading')).toHaveText(sorted.map(({ item }) => item.name))
      await page.getByRole('searchbox').fill('nosuchthing')
      await expect(list.getByRole('article')).toHaveCount(0)
      await page.reload()
      await expect(page.getByRole('searchbox')).toHaveValue('nosuchthing')
      await page.getByRole('main').getByRole('button', { name: market.filter.clearAll }).first().click()
      await expect(list.getByRole('article')).toHaveCount(entries.length)

      await page.getByRole('tab', { name: collection.viewNames.value }).click()
      const worth = entries.reduce((sum, { item }) => sum + item.baseValueCents, 0)
      const region = summary(page, value.title)
      await expect(region).toContainText(value.now + dollars(worth))
      await expect(region).toContainText(value.paid + dollars(2 * 2500))
      await region.getByText(value.table).click()
      await expect(region.getByRole('row').nth(1)).toContainText(dollars(worth))

      await page.getByRole('tab', { name: collection.viewNames.sets }).click()
      await expect(page.getByRole('article').first()).toBeVisible()
      await expect(page).toHaveURL(/view=sets/)
    })
  })
}
