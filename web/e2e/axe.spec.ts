import { AxeBuilder } from '@axe-core/playwright'
import type { Page } from '@playwright/test'
import { visits } from '../src/app/visits'
import { opening as openingTexts } from '../src/features/opening/texts/en'
import { demo as demoEn } from '../src/features/opening/demo/texts/en'
import { jump as jumpEn } from '../src/app/jump/texts/en'
import { market as marketEn } from '../src/features/market/texts/en'
import { selling as sellingEn } from '../src/features/market/texts/selling/en'
import { trade as tradeEn } from '../src/features/market/texts/trade/en'
import { verify as verifyEn } from '../src/features/fairness/texts/verify/en'
import { demo as demoZh } from '../src/features/opening/demo/texts/zh'
import { jump as jumpZh } from '../src/app/jump/texts/zh'
import { market as marketZh } from '../src/features/market/texts/zh'
import { selling as sellingZh } from '../src/features/market/texts/selling/zh'
import { trade as tradeZh } from '../src/features/market/texts/trade/zh'
import { sellBack as sellBackEn } from '../src/features/sellback/texts/en'
import { sellBack as sellBackZh } from '../src/features/sellback/texts/zh'
import type { InventoryEntry } from '../src/lib/contract/types'
import { read, sendToVault } from './support/books'
import { expect, test } from './support/server'
import { arriveWith } from './support/sign-in'
import { enter, expectAllTicked, resultAction, skipToResults, startButton, toast } from './support/theatre'

// Half-faded texts have half the contrast: what is measured is where a fade ends.
test.use({ contextOptions: { reducedMotion: 'reduce' } })

// Colours differ by theme and texts by language: two rounds meet all four.
const rounds = [
  { theme: 'dark', language: 'en' },
  { theme: 'light', language: 'zh' },
] as const

async function remember(page: Page, choices: Record<string, string>): Promise<void> {
  await page.addInitScript((entries) => {
    for (const [key, value] of entries) localStorage.setItem(key, value)
  }, Object.entries(choices))
}

async function expectClean(page: Page, where: string): Promise<void> {
  await page.evaluate(() => {
    const ending = document.getAnimations().filter(({ effect }) => effect?.getComputedTiming().endTime !== Infinity)
    return Promise.allSettled(ending.map(({ finished }) => finished))
  })
  // All of the page is in one frame, and only what is wrong is of interest: both halve the time.
  const { violations } = await new AxeBuilder({ page })
    .setLegacyMode()
    .options({ resultTypes: ['violations'] })
    .analyze()
  const found = violations.map(({ id, nodes }) => [id, ...nodes.map(({ html }) => html)])
  expect.soft({ where, found }).toEqual({ where, found: [] })
}

async function tour(page: Page, who: 'ready' | 'readyForOwner'): Promise<void> {
  for (const visit of visits) {
    const ready = visit[who]
    if (!ready) continue
    await page.goto(visit.at)
    await expect(page.locator(ready).last()).toBeVisible()
    await expectClean(page, visit.at)
  }
}

for (const { theme, language } of rounds) {
  test(`nothing to mend for a visitor, ${theme}, ${language}`, async ({ page }) => {
    await remember(page, { theme, language })
    await tour(page, 'ready')
  })

  test(`nothing to mend for an owner, ${theme}, ${language}`, async ({ page }) => {
    await remember(page, { theme, language })
    await arriveWith(page, 60)
    for (const pack of ['2', 'demo-pack-1']) {
      await expect(await page.request.post(`/api/packs/${pack}/open`, { data: { clientSeed: pack } })).toBeOK()
    }
    const [kept, ...others] = await read<InventoryEntry[]>(page, '/api/inventory/me')
    expect(others).toHaveLength(5)
    await sendToVault(page, kept!.id)
    const listing = { inventoryId: others[0]!.id, priceCents: 1234 }
    await expect(await page.request.post('/api/marketplace/list', { data: listing })).toBeOK()
    await tour(page, 'readyForOwner')
    await page.goto(`/entry/${others[0]!.id}`)
    await expect(page.locator('main ol li').last()).toBeVisible()
    await expectClean(page, 'entry')
    await page.goto(`/item/${others[0]!.item.id}`)
    await page.locator('main table').last().scrollIntoViewIfNeeded()
    await expect(page.locator('main canvas')).toBeVisible()
    await expectClean(page, 'item')
    await page.goto('/my-opens')
    await page.locator('main article a[href^="/verify/"]').last().click()
    await page.getByRole('group').last().locator('summary').click()
    await expectClean(page, 'proof')
  })
}

for (const { theme, language, trade, selling, market, sellBack } of [
  { theme: 'dark', language: 'en', trade: tradeEn, selling: sellingEn, market: marketEn, sellBack: sellBackEn },
  { theme: 'light', language: 'zh', trade: tradeZh, selling: sellingZh, market: marketZh, sellBack: sellBackZh },
]) {
  test(`nothing to mend where something is sold, ${theme}, ${language}`, async ({ page }) => {
    await remember(page, { theme, language })
    await arriveWith(page, 25)
    await expect(await page.request.post('/api/packs/demo-pack-1/open', { data: { clientSeed: 'axe' } })).toBeOK()
    const [held, listed] = await read<InventoryEntry[]>(page, '/api/inventory/me')
    const listing = { inventoryId: listed!.id, priceCents: 4321 }
    await expect(await page.request.post('/api/marketplace/list', { data: listing })).toBeOK()
    await page.goto('/my-collection')
    await page.getByRole('button', { name: trade.sellItem(held!.item.name) }).click()
    await expect(page.getByRole('dialog', { name: trade.sell })).toBeVisible()
    await expectClean(page, 'list for sale')
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: sellBack.select }).click()
    const bar = page.getByRole('region', { name: sellBack.bar })
    await bar.getByRole('button', { name: sellBack.all, exact: true }).click()
    await expect(page.getByRole('checkbox', { checked: true })).toHaveCount(4)
    await expectClean(page, 'selecting')
    await bar.getByRole('button', { name: /\$\d/ }).click()
    await expect(page.getByRole('dialog', { name: sellBack.title(4) }).getByRole('timer')).toBeVisible()
    await expectClean(page, 'sell to the house')
    await page.goto('/marketplace')
    await page.getByRole('button', { name: market.market.manage }).click()
    const dialog = page.getByRole('dialog', { name: selling.mine })
    await dialog.getByRole('button', { name: selling.editItem(listed!.item.name) }).click()
    await expect(dialog.getByRole('spinbutton')).toBeVisible()
    await expectClean(page, 'my listings')
  })
}

for (const { theme, language, demo, jump } of [
  { theme: 'dark', language: 'en', demo: demoEn, jump: jumpEn },
  { theme: 'light', language: 'zh', demo: demoZh, jump: jumpZh },
]) {
  test(`nothing to mend in the demo and the jump, ${theme}, ${language}`, async ({ page }) => {
    await remember(page, { theme, language })
    await page.goto('/pack/2')
    await page.getByRole('button', { name: demo.rip }).click()
    const dialog = page.getByRole('dialog', { name: demo.dialog('Pokemon') })
    await expect(dialog.getByText(demo.prompt)).toBeVisible()
    await expectClean(page, 'demo')
    await dialog.getByRole('button', { name: demo.rip }).click()
    await expect(dialog.getByText(demo.note)).toBeVisible()
    await expectClean(page, 'demo result')
    await dialog.getByRole('button', { name: demo.back }).click()
    await expect(dialog).toBeHidden()
    await page.keyboard.press('ControlOrMeta+k')
    await page.getByRole('combobox', { name: jump.title }).fill('charizard')
    await expect(page.getByRole('option', { name: /Charizard/ }).first()).toBeVisible()
    await expectClean(page, 'jump')
  })
}

for (const theme of ['dark', 'light']) {
  for (const pack of ['2', 'demo-pack-1']) {
    test(`nothing to mend while pack ${pack} is opened, ${theme}`, async ({ page }) => {
      await remember(page, { theme })
      await arriveWith(page, 25)
      await enter(page, pack)
      await expectClean(page, 'intro')
      await startButton(page).click()
      await skipToResults(page)
      await expect(toast(page)).toContainText(openingTexts.toast.opened)
      await expectClean(page, 'results')
      await resultAction(page, openingTexts.results.verify).click()
      await expectAllTicked(page.getByRole('dialog', { name: verifyEn.verification.title }), pack === '2' ? 1 : 5)
      await expectClean(page, 'verification')
    })
  }
}
