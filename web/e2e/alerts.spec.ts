import { alerts as t } from '../src/features/alerts/texts/en'
import { market } from '../src/features/market/texts/en'
import type { Alert, InventoryEntry, SavedSearch, Watch } from '../src/contract/types'
import { dollars } from '../src/lib/format'
import { getJson } from './support/api'
import { expect, test } from './support/server'
import { signInWithPoints, newVisitor } from './support/sign-in'

test('a user watches a card and is alerted when another lists it', async ({ page, browser, server }) => {
  const price = 1287
  const seller = await newVisitor(browser, server.url, 'en-US')
  await signInWithPoints(seller, 50)
  await expect(await seller.request.post('/api/packs/2/open', { data: { clientSeed: 'alerts' } })).toBeOK()
  const [entry] = await getJson<InventoryEntry[]>(seller, '/api/inventory/me')
  const { id, item } = entry!
  await signInWithPoints(page, 10)

  await page.goto(`/item/${item.id}`)
  await page.getByRole('button', { name: t.watch.watch, exact: true }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('textbox', { name: t.watch.price }).fill('12.90')
  await dialog.getByRole('button', { name: t.watch.watch, exact: true }).click()
  await expect(page.getByRole('button', { name: t.watch.watchingBelow('$12.90') })).toBeVisible()
  expect(await getJson<Watch[]>(page, '/api/watchlist')).toMatchObject([{ itemId: item.id, belowCents: 1290 }])

  await page.goto('/marketplace?series=pokemon&maxPrice=13')
  await page.getByRole('button', { name: t.searches.save }).click()
  await dialog.getByRole('textbox', { name: t.searches.name }).fill('Cheap ones')
  await dialog.getByRole('button', { name: t.searches.confirm }).click()
  await expect(page.getByRole('link', { name: 'Cheap ones' })).toBeVisible()
  const searches = await getJson<SavedSearch[]>(page, '/api/saved-searches')
  expect(searches).toMatchObject([{ name: 'Cheap ones', query: 'series=pokemon&maxPrice=13', alert: true }])

  const listing = { inventoryId: id, priceCents: price, confirmedCents: price }
  await expect(await seller.request.post('/api/marketplace/list', { data: listing })).toBeOK()
  await seller.context().close()

  await page.reload()
  const category = page.getByRole('combobox', { name: market.filter.category })
  await expect(category.getByRole('option', { name: /^Pokemon \([1-9]/ })).toBeAttached()
  await page.getByRole('link', { name: t.unread('2') }).click()
  const rows = page.getByRole('list', { name: t.title }).getByRole('article')
  await expect(rows).toHaveCount(2)
  await expect(rows.filter({ hasText: t.listing(dollars(price), 'Cheap ones') })).toContainText(item.name)
  const cheap = rows.filter({ hasText: t.price(dollars(price)) })
  await expect(cheap).toContainText(t.isNew)
  await expect(page.getByRole('link', { name: t.bell, exact: true })).toBeVisible()
  const alerts = await getJson<Alert[]>(page, '/api/alerts')
  expect(alerts.map(({ kind }) => kind).toSorted()).toEqual(['listing', 'price'])
  expect(alerts.every(({ inventoryId, read: seen }) => inventoryId === id && seen)).toBe(true)

  await cheap.getByRole('link', { name: item.name }).click()
  await expect(page.getByRole('heading', { level: 1, name: item.name })).toBeVisible()
  await page.goto('/watchlist')
  const card = page.getByRole('list', { name: t.watchlist.list }).getByRole('article')
  await expect(card).toContainText(dollars(price))
  await card.getByRole('button', { name: t.watchlist.editItem(item.name) }).click()
  await dialog.getByRole('button', { name: t.watch.remove }).click()
  await expect(page.getByRole('heading', { name: t.watchlist.empty })).toBeVisible()
  expect(await getJson<Watch[]>(page, '/api/watchlist')).toEqual([])
})
