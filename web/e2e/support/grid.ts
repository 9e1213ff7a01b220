import type { Locator, Page } from '@playwright/test'
import { expect } from './server'

/** The card at a position of a long list, counted from 1. */
export const cardAt = (page: Page, place: number): Locator =>
  page.getByRole('main').locator(`li[aria-posinset="${place}"]`)

/** Scrolls down, loading more pages, until the card is visible. */
export async function scrollToCard(page: Page, place: number): Promise<void> {
  await expect(async () => {
    await page.keyboard.press('End')
    await expect(cardAt(page, place)).toBeInViewport({ timeout: 500 })
  }).toPass()
}
