import type { Locator, Page } from '@playwright/test'
import * as en from '../src/i18n/texts/en'
import { leaderboard as boardEn } from '../src/features/leaderboard/texts/en'
import {
  cards as cardsEn,
  collection as collectionEn,
  vault as vaultEn,
  opens as opensEn,
} from '../src/features/inventory/texts/en'
import { demo as demoEn } from '../src/features/opening/texts/en'
import { fairness as fairnessEn, verify as verifyEn } from '../src/features/proofs/texts/en'
import { home as homeEn } from '../src/features/store/texts/en'
import { home as homeZh } from '../src/features/store/texts/zh'
import { commandPalette } from '../src/app/command-palette/texts/en'
import { labubus as labubusEn, roadmap as roadmapEn } from '../src/app/routes/texts/en'
import { market as marketEn } from '../src/features/market/texts/en'
import { topup as topupEn } from '../src/features/wallet/texts/en'
import * as zh from '../src/i18n/texts/zh'
import { leaderboard as boardZh } from '../src/features/leaderboard/texts/zh'
import {
  cards as cardsZh,
  collection as collectionZh,
  vault as vaultZh,
  opens as opensZh,
} from '../src/features/inventory/texts/zh'
import { checkout, labubus as labubusZh } from '../src/app/routes/texts/zh'
import { demo } from '../src/features/opening/texts/zh'
import { fairness as fairnessZh, verify as verifyZh } from '../src/features/proofs/texts/zh'
import { market as marketZh } from '../src/features/market/texts/zh'
import { admin as operate } from '../src/features/admin/texts/zh'
import { roadmap as roadmapZh } from '../src/app/routes/texts/zh'
import { topup as topupZh } from '../src/features/wallet/texts/zh'
import { getJson } from './support/api'
import { livePulls } from './support/feed'
import { expect, test } from './support/server'
import { signInWithPoints } from './support/sign-in'

const languages = [
  {
    locale: 'en-US',
    t: en,
    board: boardEn,
    cards: cardsEn,
    collection: collectionEn,
    fairness: fairnessEn,
    home: homeEn,
    labubus: labubusEn,
    market: marketEn,
    vault: vaultEn,
    opens: opensEn,
    roadmap: roadmapEn,
    topup: topupEn,
    verify: verifyEn,
  },
  {
    locale: 'zh-CN',
    t: zh,
    board: boardZh,
    cards: cardsZh,
    collection: collectionZh,
    fairness: fairnessZh,
    home: homeZh,
    labubus: labubusZh,
    market: marketZh,
    vault: vaultZh,
    opens: opensZh,
    roadmap: roadmapZh,
    topup: topupZh,
    verify: verifyZh,
  },
] as const

const heading = (page: Page, name: string, level = 1) =>
  page.getByRole('main').getByRole('heading', { name, level, exact: true })

/** Expects an element and its content to fit into a window of this width. */
async function expectWithin(what: Locator, width: number): Promise<void> {
  const beyond = () =>
    what.evaluate((whole, edge) => {
      const boxes = [whole, ...whole.querySelectorAll('*')].map((part) => part.getBoundingClientRect())
      return Math.max(0, ...boxes.flatMap(({ left, right }) => [-left, right - edge]))
    }, width)
  await expect.poll(beyond).toBe(0)
}

for (const {
  locale,
  t,
  board,
  cards,
  collection,
  fairness,
  home,
  labubus,
  market,
  vault,
  opens,
  roadmap,
  topup,
  verify,
} of languages) {
  test.describe(locale, () => {
    test.use({ locale })

    test('the sidebar links visitors to every page', async ({ page }) => {
      await page.goto('/')
      const nav = page.getByRole('navigation', { name: t.shell.nav.label })
      const stops = [
        [t.shell.nav.packs, '/open-packs', t.catalogue.store.title],
        [t.shell.nav.vault, '/vault', vault.title],
        [t.shell.nav.topUp, '/topup', topup.title],
        [t.shell.nav.marketplace, '/marketplace', market.market.title],
        [t.shell.nav.leaderboard, '/leaderboard', board.title],
        [t.shell.nav.roadmap, '/roadmap', roadmap.title],
        [t.shell.nav.labubus, '/labubus', labubus.title],
        [t.shell.nav.fairness, '/fairness', fairness.title],
        [t.shell.nav.verify, '/verify', verify.check.title],
        [t.shell.nav.myCollection, '/my-collection', collection.title],
        [t.shell.nav.myCards, '/my-cards', cards.title],
        [t.shell.nav.myOpens, '/my-opens', opens.title],
        [t.shell.nav.home, '/app', home.heading],
      ] as const
      for (const [name, path, title] of stops) {
        await nav.getByRole('link', { name, exact: false }).click()
        await expect(page).toHaveURL(path)
        await expect(heading(page, title)).toBeVisible()
      }
    })
  })
}

test.describe('in Chinese', () => {
  const { locale, t, board, cards, labubus, market, vault, roadmap } = languages[1]
  test.use({ locale })

  test('pages that need a wallet say so', async ({ page }) => {
    for (const [path, text] of [
      ['/marketplace', market.market.signInTitle],
      ['/vault', vault.signInTitle],
      ['/my-cards', cards.signInTitle],
    ] as const) {
      await page.goto(path)
      await expect(page.getByText(text)).toBeVisible()
      const panel = page.locator('main .panel').filter({ has: page.locator('h2') })
      const ask = panel.getByRole('button', { name: market.connectWallet })
      const dialog = page.getByRole('dialog', { name: t.identity.connectTitle })
      await ask.click()
      await expect(dialog).toBeVisible()
      await page.keyboard.press('Escape')
      for (const width of [390, 320]) {
        await page.setViewportSize({ width, height: 844 })
        await page.goto(path)
        await expectWithin(panel, width)
        await expectWithin(page.getByRole('contentinfo'), width)
        await ask.click()
        await expectWithin(dialog, width)
        await page.keyboard.press('Escape')
        await expect(dialog).toBeHidden()
      }
      await page.setViewportSize({ width: 1440, height: 720 })
    }
  })

  test('a new user sees empty states', async ({ page }) => {
    await signInWithPoints(page, 25)
    // Other tests may have listings.
    await page.route('**/api/marketplace', (route) => route.fulfill({ json: [] }))
    await page.goto('/marketplace')
    await expect(page.getByText(market.market.emptyText)).toBeVisible()
    await page.getByRole('button', { name: market.market.manage }).click()
    await expect(page.getByRole('dialog', { name: market.market.comingSoon })).toContainText(market.market.manageText)
    await page.goto('/vault')
    await expect(page.getByText(vault.emptyText)).toBeVisible()
    await page.goto('/my-cards')
    await expect(heading(page, cards.emptyTitle, 2)).toBeVisible()
    await page.goto('/admin')
    await expect(heading(page, operate.denied)).toBeVisible()
  })

  test('the leaderboard shows recent opens', async ({ page }) => {
    await signInWithPoints(page, 25)
    await expect(await page.request.post('/api/packs/2/open', { data: { clientSeed: locale } })).toBeOK()
    await expect(async () =>
      expect(await getJson<unknown[]>(page, '/api/activity/recent')).not.toHaveLength(0),
    ).toPass()
    const ranks = () =>
      getJson<{ rank: number | null; position: number | null }>(page, '/api/leaderboard/me?period=WEEKLY&metric=PACKS')
    await expect(async () => expect((await ranks()).rank).not.toBeNull()).toPass()
    await page.goto('/leaderboard?metric=PACKS')
    const panel = page.getByRole('region', { name: board.activity })
    await expect(panel.getByText(board.anonymous).first()).toBeVisible()
    await page.getByRole('tab', { name: board.period.WEEKLY }).click()
    await expect(page).toHaveURL(/period=WEEKLY/)
    const own = page.getByRole('list', { name: board.leaders }).getByRole('listitem').filter({ hasText: board.you })
    await expect(own).toContainText(`1 ${board.packs}`)
    const index = (
      await page.getByRole('list', { name: board.leaders }).getByRole('listitem').allTextContents()
    ).findIndex((text) => text.includes(board.you))
    expect(index).toBe((await ranks()).position)
    await page.goto('/')
    await expect(page.getByRole('region', { name: board.live }).getByRole('article').first()).toBeVisible()
    const corner = page.getByRole('region', { name: collectionZh.lastPulls })
    await expect(corner.getByRole('img').first()).toBeVisible()
  })

  test('roadmap, Labubus and checkout', async ({ page }) => {
    await page.goto('/roadmap')
    await expect(page.getByRole('article')).toHaveCount(4)
    await expect(page.getByRole('progressbar')).toHaveCount(4)
    await expect(page.getByRole('link', { name: roadmap.feedback })).toHaveAttribute('href', /^https:/)
    await page.emulateMedia({ reducedMotion: 'no-preference' })
    await page.goto('/labubus')
    const film = page.locator('video')
    await expect.poll(() => film.evaluate((video: HTMLVideoElement) => video.currentTime)).toBeGreaterThan(0)
    for (const name of [t.shell.social, t.shell.chat]) {
      await expect(page.getByRole('link', { name })).toHaveAttribute('href', /^https:/)
    }
    await page.getByRole('link', { name: labubus.explore }).click()
    await expect(page).toHaveURL('/open-packs#labubu')
    await page.goto('/checkout/2')
    await expect(heading(page, checkout.notConfigured)).toBeVisible()
    // Opened directly, its back link stays on the site.
    await page.getByRole('button', { name: checkout.goBack }).click()
    await expect(page).toHaveURL('/pack/2')
    await page.goto('/checkout/999')
    await expect(heading(page, checkout.notFound)).toBeVisible()
  })

  test('a visitor opens a demo pack, which states the real chance and changes nothing', async ({ page }) => {
    const acts: string[] = []
    page.on('request', (request) => request.method() !== 'GET' && acts.push(request.url()))
    await page.goto('/pack/2')
    await page.getByRole('button', { name: demo.rip }).click()
    const dialog = page.getByRole('dialog', { name: demo.dialog('宝可梦') })
    await expect(dialog.getByText(demo.prompt)).toBeVisible()
    await dialog.getByRole('button', { name: demo.rip }).click()
    await expect(dialog.getByText(demo.note)).toBeVisible()
    await expect(dialog.getByText(/^正式开包时的概率：1\/[\d,]+$/)).toBeVisible()
    await expect(dialog.getByText(/^(PSA|CGC) #0000\d+ · 示例$/)).toBeVisible()
    await dialog.getByRole('button', { name: demo.enlarge }).click()
    await dialog.getByRole('button', { name: demo.shrink }).click()
    await dialog.getByRole('button', { name: demo.back }).click()
    await expect(dialog).toBeHidden()
    expect(acts).toEqual([])
  })
})

test('a user opens a demo Labubu box, and balance and collection don’t change', async ({ page }) => {
  await signInWithPoints(page, 40)
  await page.goto('/pack/7')
  await page.getByRole('button', { name: demoEn.rip }).click()
  const dialog = page.getByRole('dialog', { name: demoEn.dialog('Labubu Base Box') })
  await expect(dialog.getByText(demoEn.labubuPrompt)).toBeVisible()
  await dialog.getByRole('button', { name: demoEn.rip }).click()
  await expect(dialog.getByText(demoEn.marketValue)).toBeVisible()
  expect((await getJson<{ balanceCents: number }>(page, '/api/wallet')).balanceCents).toBe(4000)
  expect(await getJson<unknown[]>(page, '/api/inventory/me')).toEqual([])
})

const isPaused = (page: Page) => page.locator('video').evaluate((video: HTMLVideoElement) => video.paused)

/** The page's endless animations. */
const endlessAnimations = (page: Page) =>
  page.evaluate(() =>
    document
      .getAnimations()
      .filter(({ effect }) => effect?.getComputedTiming().endTime === Infinity)
      .map((animation) => (animation instanceof CSSAnimation ? animation.animationName : animation.id)),
  )

test.describe('endless animation', () => {
  test.use({ contextOptions: { reducedMotion: 'no-preference' } })

  test('is paused and resumed by keyboard, for the whole visit', async ({ page }) => {
    const { pauseMotion, playMotion } = en.shell.settings
    const pause = page.getByRole('main').getByRole('button', { name: pauseMotion })
    const play = page.getByRole('main').getByRole('button', { name: playMotion })
    await page.goto('/labubus')
    await expect.poll(() => isPaused(page)).toBe(false)
    await pause.focus()
    await page.keyboard.press('Space')
    await expect(play).toBeFocused()
    expect(await isPaused(page)).toBe(true)
    await page.reload()
    await expect(play).toBeVisible()
    expect(await isPaused(page)).toBe(true)
    // Other pages and the demo are paused too.
    for (const path of ['/', '/fairness']) {
      await page.goto(path)
      await expect(page.getByRole('article').last()).toBeVisible()
      await expect.poll(() => endlessAnimations(page)).toEqual([])
    }
    await page.goto('/pack/2')
    await page.getByRole('main').getByRole('button').filter({ hasText: /demo/ }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('button', { name: playMotion }).press('Enter')
    await expect(dialog.getByRole('button', { name: pauseMotion })).toBeFocused()
    await page.goto('/labubus')
    await expect.poll(() => isPaused(page)).toBe(false)
  })

  test('starts paused with reduced motion, and can be played', async ({ page }) => {
    await page.emulateMedia({ reducedMotion: 'reduce' })
    await page.goto('/')
    await expect(page.getByRole('main').getByRole('button', { name: en.shell.settings.playMotion })).toBeVisible()
    await page.goto('/labubus')
    const play = page.getByRole('main').getByRole('button', { name: en.shell.settings.playMotion })
    await expect(play).toBeVisible()
    expect(await isPaused(page)).toBe(true)
    await play.click()
    await expect.poll(() => isPaused(page)).toBe(false)
  })
})

test('a visitor without a session causes no console errors', async ({ page }) => {
  const errors: string[] = []
  page.on('console', (message) => message.type() === 'error' && errors.push(message.text()))
  for (const path of ['/', '/open-packs', '/pack/2', '/marketplace', '/leaderboard', '/labubus']) {
    await page.goto(path)
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    // It loads last.
    await expect(livePulls(page)).toBeVisible()
  }
  expect(errors).toEqual([])
})

test('the command palette opens an item from any page', async ({ page }) => {
  await page.goto('/roadmap')
  await expect(page.getByRole('article').first()).toBeVisible()
  await page.keyboard.press('ControlOrMeta+k')
  const field = page.getByRole('combobox', { name: commandPalette.title })
  await field.fill('charizard')
  await expect(page.getByRole('option', { name: /Charizard/ }).first()).toBeVisible()
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/\/item\/pkm-/)
  await expect(page.getByRole('heading', { level: 1, name: /Charizard/ })).toBeVisible()
  await expect(page.getByRole('dialog')).toBeHidden()
})

test('printing shows the page without the shell', async ({ page }) => {
  await page.goto('/roadmap')
  await expect(page.getByRole('article').first()).toBeVisible()
  await page.emulateMedia({ media: 'print' })
  await expect(page.getByRole('article').first()).toBeVisible()
  await expect(page.getByRole('navigation')).toBeHidden()
  // The width of A4.
  await page.setViewportSize({ width: 718, height: 1040 })
  await page.goto('/open-packs')
  await expect(page.getByRole('article').first()).toBeVisible()
  await expect(page.getByText(en.shell.desktopOnly)).toBeHidden()
})
