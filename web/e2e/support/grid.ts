import type { Locator, Page } from '@playwright/test'
import { expect } from './server'

/** The card at a place of a long list, counted from 1. */
export const cardAt = (page: Page, place: number): Locator =>
  page.getByRole('main').locator(`li[aria-posinset="${place}"]`)

/** Goes down the page as often as it grows, until the card is there. */
export async function scrollToCard(page: Page, place: number): Promise<void> {
  await expect(async () => {
    await page.keyboard.press('End')
    await expect(cardAt(page, place)).toBeInViewport({ timeout: 500 })
  }).toPass()
}
