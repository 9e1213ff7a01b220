import type { BrowserContext, Locator, Page } from '@playwright/test'
import { leaderboard as en } from '../../src/features/leaderboard/texts/en'
import { leaderboard as zh } from '../../src/features/leaderboard/texts/zh'

/** The strip of live pulls, which loads last. */
export const livePulls = (page: Page): Locator =>
  page.getByRole('region', { name: en.latest }).or(page.getByRole('region', { name: zh.latest }))

/** Blocks the event stream, as if events came later than the visitor's acts. */
export async function blockFeed(page: Page | BrowserContext): Promise<void> {
  await page.route('**/api/feed*', (route) => route.abort())
}

/** Opens a page and waits until its event stream is connected. */
export async function openWithFeed(page: Page, address: string): Promise<void> {
  const [answer] = await Promise.all([page.waitForResponse('**/api/feed*'), page.goto(address)])
  if (!answer.ok()) throw new Error(`the feed was refused: ${answer.status()}`)
}
