import type { Page } from '@playwright/test'
import * as t from '../src/i18n/texts/en'
import { collection } from '../src/features/inventory/texts/en'
import type { InventoryEntry } from '../src/contract/types'
import { cardAt, scrollToCard } from './support/grid'
import { expect, test } from './support/server'
import { signInWithPoints } from './support/sign-in'

// Moves through long pages by keyboard.
test.describe.configure({ timeout: 180_000 })

const opens = 70
const cardCount = opens * 5
/** Maximum DOM nodes of a page, regardless of its list's length. */
const maxNodes = 1500

test.use({ locale: 'en-US' })

/** Signs in a user with more cards than any window shows. Returns their entries in the server's order. */
async function signInWithLongCollection(page: Page): Promise<InventoryEntry[]> {
  await signInWithPoints(page, opens * 25)
  for (let at = 0; at < opens; at += 10) {
    const answers = Array.from({ length: 10 }, (_, n) =>
      page.request.post('/api/packs/demo-pack-1/open', { data: { clientSeed: `many ${at + n}` } }),
    )
    for (const answer of await Promise.all(answers)) await expect(answer).toBeOK()
  }
  const first = await page.request.get('/api/inventory/me?limit=200')
  const rest = await page.request.get('/api/inventory/me', {
    params: { limit: 200, cursor: first.headers()['x-next-cursor'] ?? '' },
  })
  return [...((await first.json()) as InventoryEntry[]), ...((await rest.json()) as InventoryEntry[])]
}

/** The position of the first visible card. */
const topPlace = (page: Page) =>
  page.getByRole('main').evaluate((main) => {
    const cards = [...main.querySelectorAll('li[aria-posinset]')]
    return cards.find((found) => found.getBoundingClientRect().bottom > 0)?.getAttribute('aria-posinset')
  })

test('a long collection loads while scrolling, and only visible cards are rendered', async ({ page }) => {
  const entries = await signInWithLongCollection(page)
  expect(entries).toHaveLength(cardCount)
  await page.goto('/my-collection')
  await expect(page.getByRole('article').first()).toContainText(entries[0]!.item.name)
  await scrollToCard(page, cardCount)
  await expect(cardAt(page, cardCount)).toContainText(entries.at(-1)!.item.name)
  await expect(cardAt(page, cardCount)).toHaveAttribute('aria-setsize', String(cardCount))
  await expect(cardAt(page, 1)).toHaveCount(0)
  expect(await page.locator('*').count()).toBeLessThan(maxNodes)

  await page.evaluate(() => window.scrollTo(0, document.body.scrollHeight / 2))
  await expect(cardAt(page, 1)).toHaveCount(0)
  await expect(cardAt(page, cardCount)).toHaveCount(0)
  const place = await topPlace(page)
  await expect(cardAt(page, Number(place))).toContainText(entries[Number(place) - 1]!.item.name)
  await page.getByRole('navigation').getByRole('link', { name: t.shell.nav.packs }).click()
  await expect(page.getByRole('heading', { level: 1, name: t.catalogue.store.title })).toBeVisible()
  await page.goBack()
  await expect.poll(() => topPlace(page)).toBe(place)
})

test('when the next page fails to load, loaded cards stay and Try again works', async ({ page }) => {
  await signInWithLongCollection(page)
  let broken = true
  await page.route(/inventory\/me\?.*cursor=/, (route) =>
    broken ? route.fulfill({ status: 503, json: { code: 'unavailable', message: 'later' } }) : route.continue(),
  )
  await page.goto('/my-collection')
  await scrollToCard(page, 60)
  const loadError = page.getByRole('alert').filter({ hasText: collection.failed })
  await expect(loadError).toBeVisible()
  await expect(cardAt(page, 60)).toBeVisible()
  broken = false
  await loadError.getByRole('button', { name: t.shell.tryAgain }).click()
  await scrollToCard(page, cardCount)
})

test('the keyboard reaches cards that are not yet rendered', async ({ page }) => {
  await signInWithLongCollection(page)
  await page.goto('/my-collection')
  // Each card has a link and four buttons: send to vault, give, quick sell and list. Some load later.
  await expect(cardAt(page, 1).getByRole('button')).toHaveCount(4)
  await cardAt(page, 1).getByRole('link').focus()
  for (let place = 1; place <= 80; place++) {
    // Wait for each card: pressing Tab before the next rows are rendered would leave the list.
    await expect(cardAt(page, place + 1)).toBeAttached()
    for (let step = 0; step < 5; step++) await page.keyboard.press('Tab')
    await expect(cardAt(page, place + 1).getByRole('link')).toBeFocused()
  }
})
