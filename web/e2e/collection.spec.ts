import type { Page } from '@playwright/test'
import * as t from '../src/i18n/texts/en'
import type { InventoryEntry } from '../src/contract/types'
import { cardAt, scrollToCard } from './support/grid'
import { expect, test } from './support/server'
import { arriveWith } from './support/sign-in'

// The keyboard walks through long pages.
test.describe.configure({ timeout: 180_000 })

const opens = 70
const owned = opens * 5
/** What a page may hold at most, however long its list is. */
const mostNodes = 1500

test.use({ locale: 'en-US' })

/** Somebody who owns more than any window shows. Gives their entries as the server lists them. */
async function arriveWithMany(page: Page): Promise<InventoryEntry[]> {
  await arriveWith(page, opens * 25)
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

/** The place of the first card that one sees. */
const topPlace = (page: Page) =>
  page.getByRole('main').evaluate((main) => {
    const cards = [...main.querySelectorAll('li[aria-posinset]')]
    return cards.find((found) => found.getBoundingClientRect().bottom > 0)?.getAttribute('aria-posinset')
  })

test('a long collection loads while scrolling, and only visible cards are rendered', async ({ page }) => {
  const entries = await arriveWithMany(page)
  expect(entries).toHaveLength(owned)
  await page.goto('/my-collection')
  await expect(page.getByRole('article').first()).toContainText(entries[0]!.item.name)
  await scrollToCard(page, owned)
  await expect(cardAt(page, owned)).toContainText(entries.at(-1)!.item.name)
  await expect(cardAt(page, owned)).toHaveAttribute('aria-setsize', String(owned))
  await expect(cardAt(page, 1)).toHaveCount(0)
  expect(await page.locator('*').count()).toBeLessThan(mostNodes)

  await page.evaluate(() => window.scrollTo(0, document.body.scrollHeight / 2))
  await expect(cardAt(page, 1)).toHaveCount(0)
  await expect(cardAt(page, owned)).toHaveCount(0)
  const place = await topPlace(page)
  await expect(cardAt(page, Number(place))).toContainText(entries[Number(place) - 1]!.item.name)
  await page.getByRole('navigation').getByRole('link', { name: t.shell.nav.packs }).click()
  await expect(page.getByRole('heading', { level: 1, name: t.catalogue.store.title })).toBeVisible()
  await page.goBack()
  await expect.poll(() => topPlace(page)).toBe(place)
})

test('when the next page fails to load, loaded cards stay and Try again works', async ({ page }) => {
  await arriveWithMany(page)
  let broken = true
  await page.route(/inventory\/me\?.*cursor=/, (route) =>
    broken ? route.fulfill({ status: 503, json: { code: 'unavailable', message: 'later' } }) : route.continue(),
  )
  await page.goto('/my-collection')
  await scrollToCard(page, 60)
  const trouble = page.getByRole('alert').filter({ hasText: t.collection.failed })
  await expect(trouble).toBeVisible()
  await expect(cardAt(page, 60)).toBeVisible()
  broken = false
  await trouble.getByRole('button', { name: t.shell.tryAgain }).click()
  await scrollToCard(page, owned)
})

test('the keyboard reaches cards that are not yet rendered', async ({ page }) => {
  await arriveWithMany(page)
  await page.goto('/my-collection')
  // Each card has its name, which leads to its page, and three buttons: to keep it, to sell it to the house, and to
  // others; the code of the last one comes later.
  await expect(cardAt(page, 1).getByRole('button')).toHaveCount(3)
  await cardAt(page, 1).getByRole('link').focus()
  for (let place = 1; place <= 80; place++) {
    // One card after the other: who pressed faster than the next rows come would leave the list.
    await expect(cardAt(page, place + 1)).toBeAttached()
    for (let step = 0; step < 4; step++) await page.keyboard.press('Tab')
    await expect(cardAt(page, place + 1).getByRole('link')).toBeFocused()
  }
})
