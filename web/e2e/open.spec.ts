import type { Page } from '@playwright/test'
import { catalogue } from '../src/i18n/texts/en'
import { opening as openingTexts } from '../src/features/opening/texts/en'
import { opens as inventoryTexts } from '../src/features/inventory/texts/en'
import { topup } from '../src/features/wallet/texts/en'
import { timing } from '../src/features/opening/show-reducer'
import { dollars } from '../src/lib/format'
import { expectPaid } from './support/api'
import { installPhantom } from './support/phantom'
import { expect, test } from './support/server'
import { signInWithPoints, logoutButton, signIn } from './support/sign-in'
import {
  openIntro,
  expectAllStepsPassed,
  expectedAnnouncements,
  holdResponse,
  recordAnnouncements,
  openButton,
  resultAction,
  resultsHeading,
  skipButton,
  skipToResults,
  startButton,
  openingDialog,
  toast,
  recordMotion,
} from './support/opening-dialog'

// Long journeys with several visitors.
test.describe.configure({ timeout: 180_000 })

// With animations, as most users see it.
test.use({ contextOptions: { reducedMotion: 'no-preference' } })
test.slow()

const main = (page: Page) => page.getByRole('main')
const sidebar = (page: Page) => page.getByRole('complementary')
const goTo = (page: Page, name: string) => page.getByRole('navigation').getByRole('link', { name, exact: true }).click()

/** Collects console errors except failed requests: crashes and CSP violations. */
function consoleErrors(page: Page): string[] {
  const found: string[] = []
  page.on('pageerror', (error) => found.push(error.message))
  page.on('console', (message) => {
    if (message.type() === 'error' && !message.text().startsWith('Failed to load resource')) found.push(message.text())
  })
  return found
}

async function addPoints(page: Page, amount: number): Promise<void> {
  await goTo(page, 'Top up')
  await page.getByRole('button', { name: String(amount), exact: true }).click()
  await page.getByRole('button', { name: topup.demo(String(amount)) }).click()
  await expect(toast(page)).toContainText(topup.addedText(`${amount}.00`))
  await expect(page.getByRole('region', { name: topup.balance })).toContainText(`${amount}.00`)
}

/** Expects the pages to show the open, also after a reload. */
async function expectShown(page: Page, name: string): Promise<void> {
  await goTo(page, 'My collection')
  await expect(main(page).getByRole('heading', { name, exact: true })).toBeVisible()
  await goTo(page, 'Pull history')
  await expect(page.getByRole('list', { name: inventoryTexts.list }).getByRole('article')).toHaveCount(1)
  await expect(main(page).getByText(name)).toBeVisible()
  await expect(sidebar(page)).toContainText('75.00')
}

const ways = [
  { wallet: /Demo wallet/, from: 'the store', button: 'Open Pack Pokemon' },
  { wallet: 'Phantom', from: 'the pack’s page', button: 'open pack' },
] as const

for (const { wallet, from, button } of ways) {
  test(`a new visitor signs in, opens a pack and verifies it, with ${wallet} and ${from}`, async ({ page }) => {
    const errors = consoleErrors(page)
    const heard = await recordAnnouncements(page)
    if (wallet === 'Phantom') await installPhantom(page)
    await signIn(page, wallet)
    await addPoints(page, 100)

    await goTo(page, 'Packs')
    if (button === 'open pack') await page.getByRole('link', { name: 'Pokemon', exact: true }).click()
    await page.getByRole('button', { name: button, exact: true }).click()
    await expect(openingDialog(page)).toContainText('ready to discover what is inside?')
    await startButton(page).click()
    await expect(openingDialog(page).getByText('opening pack...').first()).toBeVisible()
    await expect(resultsHeading(page)).toBeVisible()
    await expect(toast(page)).toContainText('Pack Opened!You pulled 1 items!')

    const [opening] = await expectPaid(page, 100, 1)
    if (!opening) throw new Error('no opening')
    const name = opening.items[0]?.name ?? ''
    expect(await heard()).toEqual(expectedAnnouncements(opening))
    await expect(openingDialog(page).getByText(name)).toBeVisible()

    await resultAction(page, 'verify fairness').click()
    await expect(toast(page)).toContainText(openingTexts.toast.seeds(opening.clientSeed, opening.serverSeedRevealed))
    await expectAllStepsPassed(page.getByRole('dialog', { name: 'verify fairness' }), 1)
    await page.keyboard.press('Escape')
    await openingDialog(page).getByRole('link', { name: 'view collection' }).click()
    await expect(page).toHaveURL(/\/my-collection$/)

    await expectShown(page, name)
    await page.reload()
    await expect(logoutButton(page)).toBeVisible()
    await expectShown(page, name)
    await expectPaid(page, 100, 1)
    expect(errors).toEqual([])
  })
}

test('a pack of five is revealed card by card', async ({ page }) => {
  const heard = await recordAnnouncements(page)
  await signInWithPoints(page, 25)
  await openIntro(page, 'demo-pack-1')
  await startButton(page).click()
  await expect(openingDialog(page).getByRole('img', { name: openingTexts.reveal.hidden(5) })).toBeVisible()
  await expect(resultsHeading(page)).toBeVisible()

  const [opening] = await expectPaid(page, 25, 1)
  if (!opening) throw new Error('no opening')
  expect(opening.items).toHaveLength(5)
  expect(await heard()).toEqual(expectedAnnouncements(opening))
  await expect(openingDialog(page).getByRole('listitem').getByRole('img')).toHaveCount(5)
  await expect(toast(page)).toContainText('You pulled 5 items!')
  await expect(resultAction(page, catalogue.store.topUp('25'))).toBeEnabled()

  await resultAction(page, 'verify fairness').click()
  await expectAllStepsPassed(page.getByRole('dialog', { name: 'verify fairness' }), 5)
})

test.describe('the animation is skipped', () => {
  for (const key of ['Space', 'Escape', 'a click'] as const) {
    test(`with ${key}`, async ({ page }) => {
      const heard = await recordAnnouncements(page)
      await signInWithPoints(page, 25)
      const release = await holdResponse(page)
      await page.clock.install()
      await openIntro(page, 'demo-pack-1')
      // The animation waits, even on a slow machine.
      await page.clock.pauseAt(Date.now() + 60_000)
      const cut = () =>
        key === 'a click' ? openingDialog(page).click({ position: { x: 300, y: 300 } }) : page.keyboard.press(key)
      await startButton(page).click()
      await expect(skipButton(page)).toBeFocused()
      await cut()
      await page.clock.runFor(timing.request)
      release()
      await expect(openingDialog(page).getByRole('img', { name: openingTexts.reveal.hidden(5) })).toBeVisible()
      await cut()
      await expect(resultsHeading(page)).toBeVisible()

      const [opening] = await expectPaid(page, 25, 1)
      if (!opening) throw new Error('no opening')
      const words = expectedAnnouncements(opening)
      expect(words).toEqual(expect.arrayContaining(await heard()))
      expect(await heard()).not.toContain(words[5])
      await page.keyboard.press('Escape')
      await expect(openingDialog(page)).toBeHidden()
    })
  }
})

test('reduced motion turns the animation off', async ({ page }) => {
  await page.emulateMedia({ reducedMotion: 'reduce' })
  const moving = await recordMotion(page)
  await signInWithPoints(page, 25)
  await openIntro(page)
  await startButton(page).click()
  await expect(resultsHeading(page)).toBeVisible()
  expect(await moving()).toEqual([])
  await expectPaid(page, 25, 1)
})

test('results can be copied', async ({ page, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await signInWithPoints(page, 25)
  await openIntro(page, 'demo-pack-1')
  await startButton(page).click()
  await skipToResults(page)
  const [opening] = await expectPaid(page, 25, 1)
  if (!opening) throw new Error('no opening')
  const lines = opening.items.map(
    ({ name, rarity, baseValueCents }) => `${name} - ${rarity} - ${dollars(baseValueCents)}`,
  )
  const text = [...lines, `Total: ${dollars(opening.totalValueCents)}`].join('\n')
  const clipboard = () => page.evaluate(() => navigator.clipboard.readText())

  await resultAction(page, 'copy results').click()
  await expect(toast(page)).toContainText('results copied')
  expect(await clipboard()).toBe(text)
})

test('closing the dialog returns focus to its opener', async ({ page }) => {
  await signInWithPoints(page, 25)
  await openIntro(page)
  await page.keyboard.press('Escape')
  await expect(openingDialog(page)).toBeHidden()
  await expect(openButton(page)).toBeFocused()
  await expectPaid(page, 25, 0)
})

test('a tooltip fits inside the dialog, and Escape closes only the tooltip', async ({ page }) => {
  await signInWithPoints(page, 25)
  await page.goto('/pack/2')
  await openButton(page).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByText(openingTexts.intro.details).click()
  await dialog.getByRole('button', { name: openingTexts.intro.newSeed }).hover()
  const tooltip = dialog.getByRole('tooltip')
  await expect(tooltip).toBeInViewport({ ratio: 1 })
  await tooltip.hover()
  await expect(tooltip).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(tooltip).toHaveCount(0)
  await expect(dialog).toBeVisible()
})
