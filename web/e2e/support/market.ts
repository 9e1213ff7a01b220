import type { Locator, Page } from '@playwright/test'
import type { trade as tradeTexts } from '../../src/features/market/texts/en'
import { points } from '../../src/lib/format'

/** The button that buys a listing, before and during its confirmation. */
export function buyButton(where: Page | Locator, trade: typeof tradeTexts, priceCents: number, item: string) {
  const price = points(priceCents)
  return where.getByRole('button', { name: trade.withItem(trade.buy(price), item) })
}

/** Buys a listing: presses its button, then confirms the price. */
export async function buyListing(where: Page | Locator, trade: typeof tradeTexts, priceCents: number, item: string) {
  await buyButton(where, trade, priceCents, item).click()
  await where.getByRole('button', { name: trade.withItem(trade.confirmBuy(points(priceCents)), item) }).click()
}
