import type { Page } from '@playwright/test'
import { gate, type Visit, visits } from '../test/visits'
import { opening as openingTexts, demo } from '../src/features/opening/texts/en'
import { commandPalette } from '../src/app/command-palette/texts/en'
import { verify } from '../src/features/proofs/texts/en'
import { verify as verifyZh } from '../src/features/proofs/texts/zh'
import { bids } from '../src/features/bids/texts/zh'
import { bulk, cart, market, selling, trade } from '../src/features/market/texts/zh'
import { sellBack } from '../src/features/sellback/texts/zh'
import type { InventoryEntry, Opening } from '../src/contract/types'
import { accessibilityViolations, sidewaysScroll } from './support/axe'
import { listForSale, getJson, sendToVault } from './support/api'
import { livePulls } from './support/feed'
import { expect, test } from './support/server'
import { signInWithPoints } from './support/sign-in'
import {
  openIntro,
  expectAllStepsPassed,
  resultAction,
  skipToResults,
  startButton,
  toast,
} from './support/opening-dialog'

test.slow()

// Visits many pages.
test.describe.configure({ timeout: 300_000 })

/** Checks both themes (support/axe.ts), but each page in one language only. */
async function expectClean(page: Page, where: string): Promise<void> {
  expect.soft({ where, found: await accessibilityViolations(page) }).toEqual({ where, found: [] })
}

const softExpect = expect.configure({ soft: true, timeout: 5000 })

/** Checks widths from 720 pixels. */
async function expectNoSidewaysScroll(page: Page, where: string): Promise<void> {
  for (const width of [720, 768, 1024, 1152, 1280, 1920, 1440]) {
    await page.setViewportSize({ width, height: 900 })
    // A chart resizes one frame after its page.
    await softExpect.poll(() => sidewaysScroll(page), `${where}, ${width} wide`).toBe(0)
  }
}

/** All pages have the same sign-in gate, so one of them is enough. */
const [firstGate] = visits.filter(({ ready }) => ready === gate)
const shownToVisitors = visits.filter((visit) => visit.ready !== gate || visit === firstGate)

async function tour(page: Page, stops: readonly Visit[], who: 'ready' | 'readyForOwner'): Promise<void> {
  for (const visit of stops) {
    const ready = visit[who]
    if (!ready) continue
    await page.goto(visit.at)
    await expect(page.locator(ready).last()).toBeVisible()
    await expect(livePulls(page)).toBeVisible()
    await expectClean(page, visit.at)
    const seenBefore = who === 'readyForOwner' && visit.ready && visit.ready !== gate
    if (!seenBefore) await expectNoSidewaysScroll(page, visit.at)
  }
}

/** Half of the visits, for one of two workers. Alternating, because similar pages follow each other. */
const halfOf = (stops: readonly Visit[], half: number) => stops.filter((_, at) => at % 2 === half)

/** Signs in a user with six cards, one of them vaulted and one listed. Returns the listed one. */
async function signInAsOwner(page: Page): Promise<InventoryEntry> {
  await signInWithPoints(page, 60)
  for (const pack of ['2', 'demo-pack-1']) {
    await expect(await page.request.post(`/api/packs/${pack}/open`, { data: { clientSeed: pack } })).toBeOK()
  }
  const [kept, ...others] = await getJson<InventoryEntry[]>(page, '/api/inventory/me')
  expect(others).toHaveLength(5)
  await sendToVault(page, kept!.id)
  await listForSale(page, others[0]!.id, 1234)
  return others[0]!
}

for (const half of [0, 1]) {
  test(`a visitor’s pages have no accessibility violations and no sideways scroll, half ${half + 1}`, async ({
    page,
  }) => {
    await tour(page, halfOf(shownToVisitors, half), 'ready')
  })
}

test.describe('in Chinese', () => {
  test.use({ locale: 'zh-CN' })

  for (const half of [0, 1]) {
    test(`an owner’s pages have no accessibility violations and no sideways scroll, half ${half + 1}`, async ({
      page,
    }) => {
      await signInAsOwner(page)
      await tour(page, halfOf(visits, half), 'readyForOwner')
    })
  }

  test('an owner’s card, item and proof pages have no accessibility violations', async ({ page }) => {
    const listed = await signInAsOwner(page)
    await page.goto(`/entry/${listed.id}`)
    await expect(page.locator('main ol li').last()).toBeVisible()
    await expectClean(page, 'entry')
    await page.goto(`/item/${listed.item.id}`)
    await page.locator('main table').first().scrollIntoViewIfNeeded()
    await expect(page.locator('main canvas')).toBeVisible()
    await expectClean(page, 'item')
    await page.goto('/my-opens')
    await page.locator('main article a[href^="/verify/"]').last().click()
    await page.getByText(verifyZh.verification.allSteps, { exact: true }).click()
    await page.getByRole('group').last().locator('summary').click()
    await expectClean(page, 'proof')
  })

  test('shared pulls and profiles have no accessibility violations and no sideways scroll', async ({ page }) => {
    const { id: listed } = await signInAsOwner(page)
    const entries = await getJson<InventoryEntry[]>(page, '/api/inventory/me')
    const showcase = entries.map(({ id }) => id).filter((id) => id !== listed)
    const data = { firstName: '收藏家小梅', handle: 'axe-twenty-letters-x', public: true, language: 'zh', showcase }
    await expect(await page.request.patch('/api/auth/user', { data })).toBeOK()
    const opens = await getJson<Opening[]>(page, '/api/opens')
    for (const { openId } of opens) {
      await expect(await page.request.patch(`/api/pulls/${openId}`, { data: { shared: true } })).toBeOK()
    }
    for (const at of [...opens.map(({ openId }) => `/pull/${openId}`), '/u/axe-twenty-letters-x']) {
      await page.goto(at)
      await expect(page.getByRole('main').getByRole('heading', { level: 1 })).toBeVisible()
      await expectClean(page, at)
      await expectNoSidewaysScroll(page, at)
      await page.setViewportSize({ width: 390, height: 844 })
      // The sidebar is narrow only on pages that are loaded in a narrow window.
      await page.reload()
      await expect(page.getByRole('main').getByRole('heading', { level: 1 })).toBeVisible()
      await softExpect.poll(() => sidewaysScroll(page), `${at}, 390 wide`).toBe(0)
      await page.setViewportSize({ width: 1440, height: 900 })
    }
    // Where the user is named.
    for (const at of ['/', '/open-packs', '/leaderboard', '/marketplace', '/account', '/my-opens']) {
      await page.goto(at)
      await expect(livePulls(page)).toBeVisible()
      await expectNoSidewaysScroll(page, at)
    }
  })

  test('bidding has no accessibility violations', async ({ page, browser, server }) => {
    const listed = await signInAsOwner(page)
    const context = await browser.newContext({ baseURL: server.url, locale: 'zh-CN' })
    const bidder = await context.newPage()
    await signInWithPoints(bidder, 100)
    const bid = { scope: { inventoryId: listed.id }, priceCents: 60 }
    const answer = await bidder.request.post('/api/bids', { data: bid })
    const { id } = (await answer.json()) as { id: string }
    const counter = { inventoryId: listed.id, priceCents: 900_000, confirmedCents: 900_000 }
    await expect(await page.request.post(`/api/bids/${id}/counter`, { data: counter })).toBeOK()
    await bidder.goto('/orders')
    await expect(bidder.getByRole('button', { name: /购买/ })).toBeVisible()
    await expectClean(bidder, 'orders')
    await bidder.getByRole('button', { name: bids.order.changeOf(listed.item.name) }).click()
    const dialog = bidder.getByRole('dialog', { name: bids.form.change })
    await dialog.getByRole('textbox', { name: bids.form.priceCents }).fill('0.52')
    await dialog.getByRole('button', { name: bids.bid }).click()
    await expect(dialog.getByRole('textbox', { name: bids.form.priceCents })).toBeFocused()
    await expectClean(bidder, 'change a bid')
    await context.close()

    await page.goto(`/entry/${listed.id}`)
    await page.getByRole('button', { name: bids.own.sell('$0.59') }).click()
    const accept = page.getByRole('dialog', { name: bids.own.sellTitle })
    await accept.getByRole('button', { name: bids.own.sell('$0.59') }).click()
    await expect(accept.getByRole('alert')).toBeVisible()
    await expectClean(page, 'accept a bid')
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: bids.own.counterTo('$0.60') }).click()
    await expect(page.getByRole('dialog', { name: bids.own.counterTitle })).toBeVisible()
    await expectClean(page, 'answer a bid')
  })

  test('selling has no accessibility violations', async ({ page }) => {
    await signInWithPoints(page, 25)
    await expect(await page.request.post('/api/packs/demo-pack-1/open', { data: { clientSeed: 'axe' } })).toBeOK()
    const [held, listed] = await getJson<InventoryEntry[]>(page, '/api/inventory/me')
    await listForSale(page, listed!.id, 4321)
    await page.goto('/my-collection')
    // A pack may contain the same item twice.
    await page
      .getByRole('button', { name: trade.sellItem(held!.item.name) })
      .first()
      .click()
    await expect(page.getByRole('dialog', { name: trade.sell })).toBeVisible()
    await expectClean(page, 'list for sale')
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: sellBack.select }).click()
    const bar = page.getByRole('region', { name: sellBack.bar })
    await bar.getByRole('button', { name: sellBack.all, exact: true }).click()
    await expect(page.getByRole('checkbox', { checked: true })).toHaveCount(5)
    await expectClean(page, 'selecting')
    await bar.getByRole('button', { name: bulk.buttons.list(4) }).click()
    await expect(page.getByRole('dialog', { name: bulk.titles.list(4) })).toBeVisible()
    await expectClean(page, 'list several')
    await page.keyboard.press('Escape')
    await bar.getByRole('button', { name: /\$\d/ }).click()
    await expect(page.getByRole('dialog', { name: sellBack.title(4) }).getByRole('timer')).toBeVisible()
    await expectClean(page, 'quick sell')
    await page.goto('/marketplace')
    await page.getByRole('button', { name: market.market.manage }).click()
    const dialog = page.getByRole('dialog', { name: selling.mine })
    await dialog.getByRole('button', { name: selling.editItem(listed!.item.name) }).click()
    await expect(dialog.getByRole('textbox')).toBeVisible()
    await expectClean(page, 'my listings')
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: cart.open(0) }).click()
    await expect(page.getByRole('dialog', { name: cart.title })).toBeVisible()
    await expectClean(page, 'cart')
  })
})

test('the demo and the command palette have no accessibility violations', async ({ page }) => {
  await page.goto('/pack/2')
  await page.getByRole('button', { name: demo.rip }).click()
  const dialog = page.getByRole('dialog', { name: demo.dialog('Pokemon') })
  await expect(dialog.getByText(demo.prompt)).toBeVisible()
  await expectClean(page, 'demo')
  await dialog.getByRole('button', { name: demo.rip }).click()
  await expect(dialog.getByText(demo.note)).toBeVisible()
  await expect(dialog.getByText(/^In the real pack: 1 in [\d,]+$/)).toBeVisible()
  await expectClean(page, 'demo result')
  await dialog.getByRole('button', { name: demo.back }).click()
  await expect(dialog).toBeHidden()
  await page.keyboard.press('ControlOrMeta+k')
  await page.getByRole('combobox', { name: commandPalette.title }).fill('charizard')
  await expect(page.getByRole('option', { name: /Charizard/ }).first()).toBeVisible()
  await expectClean(page, 'command palette')
})

for (const pack of ['2', 'demo-pack-1']) {
  test(`opening pack ${pack} has no accessibility violations`, async ({ page }) => {
    await signInWithPoints(page, 25)
    await openIntro(page, pack)
    await expectClean(page, 'intro')
    await startButton(page).click()
    await skipToResults(page)
    await expect(toast(page)).toContainText(openingTexts.toast.opened)
    await expectClean(page, 'results')
    await resultAction(page, openingTexts.results.verify).click()
    await expectAllStepsPassed(page.getByRole('dialog', { name: verify.verification.title }), pack === '2' ? 1 : 5)
    await expectClean(page, 'verification')
  })
}
