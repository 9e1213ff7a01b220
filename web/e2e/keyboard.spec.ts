import type { Locator, Page } from '@playwright/test'
import * as t from '../src/app/texts/en'
import { trade } from '../src/features/market/texts/trade/en'
import type { InventoryEntry } from '../src/lib/contract/types'
import { read } from './support/books'
import { expect, test } from './support/server'
import { arriveWith, logoutButton, walletRow } from './support/sign-in'
import { enter, resultAction, skipToResults, startButton, theatre } from './support/theatre'

/** Presses Tab around a dialog once, and expects the focus on everything that takes it. */
async function expectTabReachesAll(page: Page, dialog: Locator): Promise<void> {
  await expect(dialog).toBeVisible()
  const names = () =>
    dialog.evaluate((root) =>
      [...root.querySelectorAll<HTMLElement>('a[href], button, input, select, textarea, summary, [tabindex="0"]')]
        .filter((one) => one.tabIndex >= 0 && !one.matches(':disabled, [inert] *') && one.checkVisibility())
        .map((one) => (one.ariaLabel ?? one.textContent) || one.outerHTML),
    )
  const all = await names()
  const reached = new Set<string>()
  for (let i = 0; i <= all.length; i += 1) {
    await page.keyboard.press('Tab')
    const focused = await page.evaluate(() => {
      const one = document.activeElement as HTMLElement
      return (one.ariaLabel ?? one.textContent) || one.outerHTML
    })
    reached.add(focused)
  }
  expect(all.length).toBeGreaterThan(0)
  expect(all.filter((name) => !reached.has(name))).toEqual([])
}

test('Tab reaches everything in the dialogs of a pack', async ({ page }) => {
  await arriveWith(page, 50)
  await enter(page)
  await expectTabReachesAll(page, theatre(page))
  await startButton(page).press('Enter')
  await skipToResults(page)
  await expectTabReachesAll(page, theatre(page))
  await resultAction(page, 'verify fairness').press('Enter')
  await expectTabReachesAll(page, page.getByRole('dialog', { name: 'verify fairness' }))
})

test('Tab reaches everything in the demo', async ({ page }) => {
  await page.goto('/pack/2')
  await page.getByRole('main').getByRole('button', { name: /demo/i }).press('Enter')
  await expectTabReachesAll(page, page.getByRole('dialog'))
})

test('Tab reaches everything in the dialogs that buy and sell', async ({ page }) => {
  await arriveWith(page, 50)
  await expect(await page.request.post('/api/packs/2/open', { data: { clientSeed: 'keyboard' } })).toBeOK()
  const [{ item }] = await read<[InventoryEntry]>(page, '/api/inventory/me')
  await page.goto('/my-collection')
  await page.getByRole('button', { name: trade.sellItem(item.name) }).press('Enter')
  await expectTabReachesAll(page, page.getByRole('dialog', { name: trade.sell }))
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: /^Quick Sell/ }).press('Enter')
  await expectTabReachesAll(page, page.getByRole('dialog'))
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: t.shell.user.profile }).press('Enter')
  await expectTabReachesAll(page, page.getByRole('dialog'))
})

test('after a sign-in by keyboard the focus is on what was pressed, or what has taken its place', async ({ page }) => {
  await page.goto('/pack/2')
  const pressed = page.getByRole('main').getByRole('button', { name: t.shell.user.connectWallet })
  await pressed.press('Enter')
  await expectTabReachesAll(page, page.getByRole('dialog', { name: t.identity.connectTitle }))
  await walletRow(page, /Demo wallet/).press('Enter')
  await expect(logoutButton(page)).toBeVisible()
  await expect(page.getByRole('dialog')).toBeHidden()
  const focused = page.locator(':focus')
  await expect(page.getByRole('main').locator(focused)).toHaveCount(1)
  await expect(focused).toHaveRole('button')
})
