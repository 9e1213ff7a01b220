import type { Locator, Page } from '@playwright/test'
import * as t from '../src/i18n/texts/en'
import { adminDialogs, collectorDialogs, type DialogStop, openDialog, visitorDialogs } from './support/dialogs'
import { expect, test } from './support/server'
import { arriveWith, logoutButton, walletRow } from './support/sign-in'
import { enter, resultAction, skipToResults, startButton, theatre } from './support/theatre'

// Tours of many pages.
test.describe.configure({ timeout: 300_000 })

// What is bid for anything alike would take what other tests have for sale.
test.use({ ownStore: true })

/** Presses Tab around a dialog once, and expects the focus on everything that takes it and nowhere else. */
async function expectTabReachesAll(page: Page, dialog: Locator): Promise<void> {
  await expect(dialog).toBeVisible()
  await expect.poll(() => dialog.evaluate((root) => root.contains(document.activeElement))).toBe(true)
  const seen = await dialog.evaluateHandle((root) => {
    const all = [
      ...root.querySelectorAll<HTMLElement>(
        'a[href], button, input, select, textarea, summary, iframe, [tabindex="0"]',
      ),
    ].filter((one) => one.tabIndex >= 0 && !one.matches(':disabled, [inert] *') && one.checkVisibility())
    // Of radio buttons with one name the chosen one takes the focus.
    const controls = all.filter((one) => !(one instanceof HTMLInputElement && one.type === 'radio') || one.checked)
    const focused = document.activeElement ? [document.activeElement] : []
    document.addEventListener('focusin', ({ target }) => focused.push(target as Element))
    return { root, controls, focused }
  })
  const count = await seen.evaluate(({ controls }) => controls.length)
  expect(count).toBeGreaterThan(0)
  // A frame takes more than one press, and so does a date, part by part.
  const inParts = () =>
    page.evaluate(() => {
      const at = document.activeElement
      return at instanceof HTMLIFrameElement || (at instanceof HTMLInputElement && at.type === 'datetime-local')
    })
  for (let i = 0; i <= count; i += 1) {
    await page.keyboard.press('Tab')
    while (await inParts()) await page.keyboard.press('Tab')
  }
  const found = await seen.evaluate(({ root, controls, focused }) => {
    const nameOf = (one: Element) => (one.ariaLabel ?? one.textContent) || one.outerHTML
    return {
      missed: controls.filter((one) => one.isConnected && !focused.includes(one)).map(nameOf),
      outside: focused.filter((one) => !root.contains(one)).map(nameOf),
    }
  })
  expect(found).toEqual({ missed: [], outside: [] })
}

/** Opens every dialog by keyboard, tabs through it and leaves it by Escape, back to what opened it. */
async function expectKeyboardDoes(page: Page, stops: readonly DialogStop[]): Promise<void> {
  for (const stop of stops) {
    await test.step(stop.source, async () => {
      const { opener, dialog } = await openDialog(page, stop)
      await expectTabReachesAll(page, dialog)
      await page.keyboard.press('Escape')
      // The first Escape may have closed a tooltip.
      const closed = await dialog.waitFor({ state: 'hidden', timeout: 1_000 }).then(
        () => true,
        () => false,
      )
      if (!closed) await page.keyboard.press('Escape')
      await expect(dialog).toBeHidden()
      await expect(opener, stop.source).toBeFocused()
    })
  }
}

test('Tab reaches every control in a pack’s dialogs', async ({ page }) => {
  await arriveWith(page, 50)
  await enter(page)
  await expectTabReachesAll(page, theatre(page))
  await startButton(page).press('Enter')
  await skipToResults(page)
  await expectTabReachesAll(page, theatre(page))
  await resultAction(page, 'verify fairness').press('Enter')
  await expectTabReachesAll(page, page.getByRole('dialog', { name: 'verify fairness' }))
})

test('Tab reaches every control in a visitor’s dialogs', async ({ page }) => {
  await expectKeyboardDoes(page, visitorDialogs)
})

test('Tab reaches every control in a collector’s dialogs', async ({ page, browser, server }) => {
  await expectKeyboardDoes(page, await collectorDialogs(page, browser, server))
})

test('Tab reaches every control in an admin’s dialogs', async ({ page, browser, server }) => {
  await expectKeyboardDoes(page, await adminDialogs(page, browser, server))
})

test('after signing in by keyboard, focus returns to the pressed button or its replacement', async ({ page }) => {
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
