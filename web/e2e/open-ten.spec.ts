import type { Page, Route } from '@playwright/test'
import { quantity as quantityEn } from '../src/components/quantity/texts/en'
import { quantity as quantityZh } from '../src/components/quantity/texts/zh'
import { opening as openingEn } from '../src/features/opening/texts/en'
import { opening as openingZh } from '../src/features/opening/texts/zh'
import { sellBack as sellBackEn } from '../src/features/sellback/texts/en'
import { sellBack as sellBackZh } from '../src/features/sellback/texts/zh'
import { pack as packEn } from '../src/features/store/texts/en'
import { pack as packZh } from '../src/features/store/texts/zh'
import * as en from '../src/i18n/texts/en'
import * as zh from '../src/i18n/texts/zh'
import type { InventoryEntry, Opening, OpenResult } from '../src/contract/types'
import { dollars } from '../src/lib/format'
import { expectPaid, getJson } from './support/api'
import { recordAnnouncements, recordMotion } from './support/opening-dialog'
import { orderToy } from './support/sealed'
import { expect, test } from './support/server'
import { signInWithPoints } from './support/sign-in'

const languages = [
  { locale: 'en-US', t: openingEn, pack: packEn, quantity: quantityEn, sellBack: sellBackEn, ...en },
  { locale: 'zh-CN', t: openingZh, pack: packZh, quantity: quantityZh, sellBack: sellBackZh, ...zh },
]

/** How long ten packs of one card may take from the last click, with everything shown and when skipping. */
const longestMs = { shown: 12_000, skipped: 4000 }

const openCall = '**/api/packs/*/open'

/** Answers the open with this number, from 1, in another way. */
async function changeOpen(page: Page, number: number, change: (route: Route) => Promise<void>, times = 1) {
  let count = 0
  await page.route(openCall, async (route) => {
    count += 1
    await (count >= number && count < number + times ? change(route) : route.continue())
  })
}

const refuse = (status: number, code: string) => (route: Route) =>
  route.fulfill({ status, json: { message: 'No.', code, requestId: 'e2e' } })

async function lose(route: Route): Promise<void> {
  await route.fetch()
  await route.abort('connectionreset')
}

async function cheat(route: Route): Promise<void> {
  const response = await route.fetch()
  const result = (await response.json()) as OpenResult
  await route.fulfill({ response, json: { ...result, next: { ...result.next, commitment: 'ab'.repeat(32) } } })
}

for (const { locale, t, pack, quantity, sellBack, errors, shell } of languages) {
  test.describe(`ten packs, in ${locale},`, () => {
    test.use({ locale, contextOptions: { reducedMotion: 'no-preference' } })
    test.slow()

    const dialog = (page: Page) => page.getByRole('dialog')
    const heading = (page: Page) => dialog(page).getByRole('heading', { name: t.results.heading })
    const alert = (page: Page) => dialog(page).getByRole('alert')
    /** The alert that counts what was opened. */
    const countOf = (page: Page, n: number) => alert(page).filter({ hasText: t.run.stopped(n, 10, `${(10 - n) * 25}`) })
    const cards = (page: Page) => dialog(page).getByRole('list', { name: t.results.grid }).getByRole('listitem')
    const choose = (page: Page, n: number) =>
      page.getByRole('main').getByText(quantity.choice(n), { exact: true }).click()
    const openTen = (page: Page) => page.getByRole('button', { name: new RegExp(`^${pack.openPacks(10)} 250`) }).click()

    const confirm = (page: Page) => dialog(page).getByRole('button', { name: t.intro.confirmStart('250') })

    /** Three clicks: ten, open, start. */
    async function prepareTen(page: Page, left = '250'): Promise<void> {
      await page.goto('/pack/2')
      await choose(page, 10)
      await openTen(page)
      await dialog(page)
        .getByRole('button', { name: t.intro.startMany(10, '250') })
        .click()
      await expect(dialog(page)).toContainText(t.intro.confirm('250', left))
    }

    /** Four clicks: the last one confirms the total. */
    async function startTen(page: Page): Promise<void> {
      await prepareTen(page)
      await confirm(page).click()
    }

    async function skipToResults(page: Page): Promise<void> {
      await dialog(page).getByRole('button', { name: t.skipToEnd }).click()
      await expect(heading(page)).toBeVisible()
    }

    test.beforeEach(async ({ page }) => {
      await signInWithPoints(page, 500)
    })

    test('take four clicks, show everything within twelve seconds, and cost what the button says', async ({ page }) => {
      const heard = await recordAnnouncements(page)
      const answers: Promise<OpenResult>[] = []
      page.on('response', (response) => {
        if (response.url().endsWith('/api/packs/2/open')) answers.push(response.json() as Promise<OpenResult>)
      })
      await page.clock.install()
      await startTen(page)
      await page.clock.pauseAt(Date.now() + 60_000)
      let elapsed = 0
      while (!(await heading(page).isVisible())) {
        await page.clock.runFor(250)
        elapsed += 250
        expect(elapsed).toBeLessThanOrEqual(longestMs.shown)
      }
      await expect(cards(page)).toHaveCount(10)
      const opens = await expectPaid(page, 500, 10)
      const items = opens.flatMap((open) => open.items).toSorted((a, b) => b.baseValueCents - a.baseValueCents)
      await expect(cards(page).first()).toContainText(t.results.best)
      await expect(cards(page).first()).toContainText(items[0]?.name ?? '')
      const total = items.reduce((sum, { baseValueCents }) => sum + baseValueCents, 0)
      const best = items[0]!
      expect((await heard()).at(-1)).toBe(
        t.results.announcementMany(10, 10, dollars(total), best.name, dollars(best.baseValueCents)),
      )
      expect(new Set(opens.map(({ clientSeed }) => clientSeed)).size).toBe(10)
      // Each open uses the commitment that the answer before announced.
      const results = await Promise.all(answers)
      expect(results.slice(1).map(({ commitment }) => commitment)).toEqual(
        results.slice(0, -1).map(({ next }) => next.commitment),
      )
    })

    test('are skipped to the end with one press of Space', async ({ page }) => {
      await startTen(page)
      const pressed = Date.now()
      await expect(dialog(page).getByRole('button', { name: t.skipToEnd })).toBeFocused()
      await page.keyboard.press('Space')
      await expect(heading(page)).toBeVisible()
      test
        .info()
        .annotations.push({ type: 'ms from the last click to the results', description: `${Date.now() - pressed}` })
      await expect(cards(page)).toHaveCount(10)
      await expectPaid(page, 500, 10)
    })

    const refusals = [
      [410, 'sold_out'],
      [403, 'loss_limit'],
      [409, 'manifest_changed'],
      [429, 'rate_limited'],
      [409, 'margin'],
    ] as const
    for (const [status, code] of refusals) {
      test(`stop at a refusal (${code}) with exact money and items`, async ({ page }) => {
        await changeOpen(page, 7, refuse(status, code))
        await startTen(page)
        await skipToResults(page)
        await expect(alert(page)).toContainText(t.run.stopped(6, 10, '100'))
        // Up to the figures that the server would add.
        await expect(alert(page)).toContainText(errors[code].split('{')[0] ?? '')
        await expect(cards(page)).toHaveCount(6)
        await expectPaid(page, 500, 6)
      })
    }

    for (const [name, change] of [
      ['a lost answer', lose],
      ['a server error', refuse(500, 'internal')],
    ] as const) {
      test(`repeat a request after ${name}, without a second charge`, async ({ page }) => {
        await changeOpen(page, 7, change, 2)
        await startTen(page)
        await expect(dialog(page).getByText(t.run.checking(6)).first()).toBeVisible()
        await skipToResults(page)
        await expect(alert(page)).toHaveCount(0)
        await expect(cards(page)).toHaveCount(10)
        await expectPaid(page, 500, 10)
      })
    }

    test('stop when another tab has used the commitment', async ({ page }) => {
      await changeOpen(page, 7, async (route) => {
        const elsewhere = await page.request.post('/api/packs/3/open', { data: { clientSeed: 'elsewhere' } })
        expect(elsewhere.ok()).toBe(true)
        await route.continue()
      })
      await startTen(page)
      await skipToResults(page)
      await expect(alert(page)).toContainText(t.run.stopped(6, 10, '100'))
      await expect(alert(page)).toContainText(errors.commitment_changed)
      await expect(cards(page)).toHaveCount(6)
      await expectPaid(page, 500, 7)
    })

    for (const [name, change, opened, text] of [
      ['announces another commitment than its receipt', cheat, 7, t.run.faults.receipt],
      ['calls a commitment used', refuse(409, 'commitment_changed'), 6, t.run.faults['unused-commitment']],
    ] as const) {
      test(`report a server that ${name}`, async ({ page }) => {
        await changeOpen(page, 7, change)
        await startTen(page)
        await skipToResults(page)
        await expect(alert(page)).toContainText(t.run.faultTitle)
        await expect(alert(page)).toContainText(text)
        await expect(alert(page)).toContainText(t.run.stopped(opened, 10, String((10 - opened) * 25)))
        const download = page.waitForEvent('download')
        await alert(page).getByRole('button', { name: t.run.saveReport }).click()
        expect((await download).suggestedFilename()).toMatch(/^kaibao-report-.*\.json$/)
        await expectPaid(page, 500, opened)
      })
    }

    test('report a fault that is found after the dialog was closed', async ({ page }) => {
      let release = () => {}
      const released = new Promise<void>((resolve) => (release = resolve))
      await changeOpen(page, 1, async (route) => {
        await released
        await cheat(route)
      })
      const sent = page.waitForRequest(openCall)
      await startTen(page)
      await sent
      await dialog(page).getByRole('button', { name: shell.close, exact: true }).click()
      await expect(dialog(page)).toBeHidden()
      release()
      const notice = page.getByRole('region', { name: shell.notifications, includeHidden: true }).locator('li')
      await expect(notice).toContainText(t.run.faults.receipt)
      const download = page.waitForEvent('download')
      await notice.getByRole('button', { name: t.run.saveReport }).click()
      expect((await download).suggestedFilename()).toMatch(/^kaibao-report-.*\.json$/)
      await expectPaid(page, 500, 1)
    })

    test('survive a closed tab: what was opened is in the collection, and one notice reports it', async ({
      page,
      context,
    }) => {
      let reached = () => {}
      const fifth = new Promise<void>((resolve) => (reached = resolve))
      await changeOpen(page, 5, async () => reached())
      await startTen(page)
      await fifth
      await page.close()
      const next = await context.newPage()
      await next.goto('/')
      // The fifth request may have reached the server, depending on how the browser closes the tab.
      const opens = await getJson<unknown[]>(next, '/api/opens')
      expect([4, 5]).toContain(opens.length)
      const toast = next.locator('li', { hasText: t.toast.opened })
      await expect(toast).toContainText(t.toast.pulled(opens.length))
      await expectPaid(next, 500, opens.length)
    })

    test('in two tabs at once never open more than asked for, and each tab tells the truth', async ({
      page,
      context,
    }) => {
      // Enough for both tabs.
      await expect(await page.request.post('/api/wallet/deposit/manual', { data: { amount: 500 } })).toBeOK()
      const other = await context.newPage()
      await prepareTen(page, '750')
      await prepareTen(other, '750')
      await Promise.all([confirm(page).click(), confirm(other).click()])
      await Promise.all([expect(heading(page)).toBeVisible(), expect(heading(other)).toBeVisible()])
      // A single card has no grid.
      const shown = await Promise.all([page, other].map(async (tab) => (await cards(tab).count()) || 1))
      for (const [index, tab] of [page, other].entries()) {
        const opened = shown[index]!
        if (opened < 10) await expect(countOf(tab, opened)).toBeVisible()
      }
      const opens = await getJson<unknown[]>(page, '/api/opens')
      // Both tabs began with the same request, so they may show the same first pack.
      const both = shown[0]! + shown[1]! - opens.length
      expect([0, 1]).toContain(both)
      await expectPaid(page, 1000, opens.length)
    })

    test('are limited by the balance, and say so', async ({ page }) => {
      await orderToy(page)
      await page.goto('/pack/2')
      await expect(page.getByRole('radio', { name: quantity.packs(1), exact: true })).toBeChecked()
      await expect(page.getByRole('radio', { name: quantity.packs(3) })).toBeDisabled()
      await expect(page.getByRole('main')).toContainText(quantity.blocked(3, quantity.why.balance('25.00')))
    })

    test('without motion are chosen and opened with the keyboard', async ({ page }) => {
      await page.emulateMedia({ reducedMotion: 'reduce' })
      const moving = await recordMotion(page)
      await page.goto('/pack/2')
      await page.getByRole('radio', { name: quantity.packs(1), exact: true }).focus()
      for (const key of ['ArrowRight', 'ArrowRight', 'ArrowRight']) await page.keyboard.press(key)
      await page.getByRole('button', { name: new RegExp(`^${pack.openPacks(10)} 250`) }).press('Enter')
      await dialog(page)
        .getByRole('button', { name: t.intro.startMany(10, '250') })
        .press('Enter')
      await expect(dialog(page).getByRole('button', { name: t.intro.confirmStart('250') })).toBeFocused()
      await page.keyboard.press('Enter')
      await expect(heading(page)).toBeVisible()
      expect(await moving()).toEqual([])
      await expectPaid(page, 500, 10)
    })

    test('select cards under a value, and sell them', async ({ page }) => {
      await startTen(page)
      await skipToResults(page)
      const under = dialog(page).getByRole('group', { name: t.results.selectUnder }).getByRole('button').first()
      await under.click()
      const picked = await dialog(page).getByRole('checkbox', { checked: true }).count()
      expect(picked).toBeGreaterThan(0)
      await expect(dialog(page).getByText(t.results.picked(picked))).toBeVisible()
      const balance = async () => (await getJson<{ balanceCents: number }>(page, '/api/wallet')).balanceCents
      const before = await balance()
      const choices = dialog(page).getByRole('group', { name: t.results.choices })
      await choices.getByRole('button').first().click()
      const sale = page.getByRole('dialog', { name: sellBack.title(picked), exact: true })
      await sale.getByRole('button', { name: new RegExp(sellBack.confirm('~').replace('~', '.*')) }).click()
      await expect(sale).toBeHidden()
      await expect(choices).toContainText(t.results.keep(10 - picked))
      const left = await getJson<InventoryEntry[]>(page, '/api/inventory/me')
      expect(left).toHaveLength(10 - picked)
      const opens = await getJson<Opening[]>(page, '/api/opens')
      const sold = opens
        .flatMap(({ items }) => items)
        .filter(({ inventoryId }) => !left.some(({ id }) => id === inventoryId))
      expect(await balance()).toBe(before + sold.reduce((sum, { sellBackCents }) => sum + sellBackCents, 0))
    })

    test('continue when the browser is online again', async ({ page, context }) => {
      await changeOpen(page, 4, async (route) => {
        await context.setOffline(true)
        await route.abort('internetdisconnected')
      })
      await startTen(page)
      await expect(dialog(page).getByText(t.run.checking(3)).first()).toBeVisible()
      await context.setOffline(false)
      await skipToResults(page)
      await expect(alert(page)).toHaveCount(0)
      await expect(cards(page)).toHaveCount(10)
      await expectPaid(page, 500, 10)
    })

    for (const [width, height] of [
      [1440, 720],
      [768, 1024],
    ] as const) {
      test(`of five cards are shown in one grid, and no notice covers a button, at ${width} × ${height}`, async ({
        page,
      }) => {
        await page.setViewportSize({ width, height })
        await page.goto('/pack/demo-pack-1')
        await choose(page, 10)
        await openTen(page)
        await dialog(page)
          .getByRole('button', { name: t.intro.startMany(10, '250') })
          .click()
        await confirm(page).click()
        await skipToResults(page)
        await expect(cards(page)).toHaveCount(50)
        const opens = await getJson<Opening[]>(page, '/api/opens')
        const items = opens.flatMap((open) => open.items).toSorted((a, b) => b.baseValueCents - a.baseValueCents)
        await expect(cards(page).first()).toContainText(items[0]?.name ?? '')
        await dialog(page).getByRole('button', { name: t.results.copy }).click()
        const notice = page.getByRole('region', { name: shell.notifications, includeHidden: true }).locator('li')
        await expect(notice).toBeInViewport({ ratio: 1 })
        const box = (await notice.boundingBox())!
        const covered = await dialog(page)
          .locator('button')
          .evaluateAll(
            (buttons, { x, y, width: wide, height: high }) =>
              buttons
                .filter((button) => {
                  const { left, right, top, bottom } = button.getBoundingClientRect()
                  return left < x + wide && x < right && top < y + high && y < bottom
                })
                .map((button) => button.textContent),
            box,
          )
        expect(covered).toEqual([])
      })
    }

    test('fast mode opens the next pack with one press that names the price', async ({ page }) => {
      await page.goto('/pack/2')
      await page.getByRole('button', { name: pack.openPack, exact: true }).click()
      await dialog(page).getByRole('switch', { name: t.fastMode }).click()
      await dialog(page)
        .getByRole('button', { name: t.intro.start('25') })
        .click()
      await expect(dialog(page).getByRole('button', { name: t.skip })).toBeFocused()
      await page.keyboard.press('Escape')
      await page.keyboard.press('Escape')
      await expect(heading(page)).toBeVisible()
      await dialog(page)
        .getByRole('button', { name: t.results.anotherFor('25') })
        .click()
      await expect(dialog(page).getByRole('button', { name: t.skip })).toBeFocused()
      await page.keyboard.press('Space')
      await expect(
        dialog(page)
          .getByRole('img', { name: t.reveal.hidden(1) })
          .or(heading(page)),
      ).toBeVisible()
      await page.keyboard.press('Escape')
      await expect(heading(page)).toBeVisible()
      await page.keyboard.press('Escape')
      await expect(page.getByRole('button', { name: new RegExp(`^${pack.openPack} 25`) })).toBeVisible()
      await expectPaid(page, 500, 2)
    })
  })
}
