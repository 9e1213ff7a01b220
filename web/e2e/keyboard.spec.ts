import type { Locator, Page } from '@playwright/test'
import * as t from '../src/i18n/texts/en'
import {
  adminDialogs,
  collectorDialogs,
  type DialogCase,
  openDialog,
  passkeyDialogs,
  visitorDialogs,
} from './support/dialogs'
import { expect, test } from './support/server'
import { signInWithPoints, logoutButton, walletRow } from './support/sign-in'
import { openIntro, resultAction, skipToResults, startButton, openingDialog } from './support/opening-dialog'

// Visits many pages.
test.describe.configure({ timeout: 300_000 })

// Bids by criteria would buy other tests' listings.
test.use({ ownServer: 'keyboard' })
test.slow()

/** Tabs once through a dialog, and expects focus on each focusable control and nothing else. */
async function expectTabReachesAll(page: Page, dialog: Locator): Promise<void> {
  await expect(dialog).toBeVisible()
  await expect.poll(() => dialog.evaluate((root) => root.contains(document.activeElement))).toBe(true)
  const seen = await dialog.evaluateHandle((root) => {
    const all = [
      ...root.querySelectorAll<HTMLElement>(
        'a[href], button, input, select, textarea, summary, iframe, [tabindex="0"]',
      ),
    ].filter((one) => one.tabIndex >= 0 && !one.matches(':disabled, [inert] *') && one.checkVisibility())
    // Only the selected radio button of a group is focusable.
    const controls = all.filter((one) => !(one instanceof HTMLInputElement && one.type === 'radio') || one.checked)
    const focused = document.activeElement ? [document.activeElement] : []
    document.addEventListener('focusin', ({ target }) => focused.push(target as Element))
    return { root, controls, focused }
  })
  const count = await seen.evaluate(({ controls }) => controls.length)
  expect(count).toBeGreaterThan(0)
  // Frames and date inputs take several presses of Tab.
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

/** Opens every dialog by keyboard, tabs through it, and closes it with Escape, which returns focus to the opener. */
async function expectKeyboardWorks(page: Page, stops: readonly DialogCase[]): Promise<void> {
  for (const stop of stops) {
    await test.step(stop.source, async () => {
      const { opener, dialog } = await openDialog(page, stop)
      await expectTabReachesAll(page, dialog)
      await page.keyboard.press('Escape')
      // The first Escape may only close a tooltip.
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
  await signInWithPoints(page, 50)
  await openIntro(page)
  await expectTabReachesAll(page, openingDialog(page))
  await startButton(page).press('Enter')
  await skipToResults(page)
  await expectTabReachesAll(page, openingDialog(page))
  await resultAction(page, 'verify fairness').press('Enter')
  await expectTabReachesAll(page, page.getByRole('dialog', { name: 'verify fairness' }))
})

test('Tab reaches every control in a visitor’s dialogs', async ({ page }) => {
  await expectKeyboardWorks(page, visitorDialogs)
})

test('Tab reaches every control in a collector’s dialogs', async ({ page, browser, server }) => {
  await expectKeyboardWorks(page, await collectorDialogs(page, browser, server))
})

test('Tab reaches every control in the dialogs of a passkey wallet', async ({ page }) => {
  await expectKeyboardWorks(page, await passkeyDialogs(page))
})

test('Tab reaches every control in an admin’s dialogs', async ({ page, browser, server }) => {
  await expectKeyboardWorks(page, await adminDialogs(page, browser, server))
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
