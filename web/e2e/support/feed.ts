import type { BrowserContext, Locator, Page } from '@playwright/test'
import { leaderboard as en } from '../../src/features/leaderboard/texts/en'
import { leaderboard as zh } from '../../src/features/leaderboard/texts/zh'

/** The line of latest pulls, which comes after all else of a page. */
export const strip = (page: Page): Locator =>
  page.getByRole('region', { name: en.latest }).or(page.getByRole('region', { name: zh.latest }))

/** Keeps from a page what happens on the market, as if it came later than what the visitor does. */
export async function hearNothing(page: Page | BrowserContext): Promise<void> {
  await page.route('**/api/feed*', (route) => route.abort())
}

/** Opens an address, and waits until the page follows the market. */
export async function openLive(page: Page, address: string): Promise<void> {
  const [answer] = await Promise.all([page.waitForResponse('**/api/feed*'), page.goto(address)])
  if (!answer.ok()) throw new Error(`the feed is refused: ${answer.status()}`)
}
