import type { Locator, Page } from '@playwright/test'
import * as en from '../src/i18n/texts/en'
import * as zh from '../src/i18n/texts/zh'
import { help as helpEn } from '../src/features/help/texts/en'
import { help as helpZh } from '../src/features/help/texts/zh'
import { leaderboard as boardEn } from '../src/features/leaderboard/texts/en'
import { leaderboard as boardZh } from '../src/features/leaderboard/texts/zh'
import { market as marketEn, trade as tradeEn } from '../src/features/market/texts/en'
import { market as marketZh, trade as tradeZh } from '../src/features/market/texts/zh'
import { opening as openingEn } from '../src/features/opening/texts/en'
import { opening as openingZh } from '../src/features/opening/texts/zh'
import { home as homeEn, pack as packEn } from '../src/features/store/texts/en'
import { home as homeZh, pack as packZh } from '../src/features/store/texts/zh'
import type { config } from '../src/lib/config'
import type { Draws, InventoryEntry, ItemDetail } from '../src/contract/types'
import { packNameIn } from '../src/lib/pack-name'
import { expectPaid, getJson, listForSale } from './support/api'
import { buyListing } from './support/market'
import { expect, test } from './support/server'
import { newVisitor, signInWithPoints } from './support/sign-in'

const languages = [
  {
    locale: 'en-US',
    language: 'en',
    t: en,
    help: helpEn,
    board: boardEn,
    market: marketEn,
    trade: tradeEn,
    opening: openingEn,
    home: homeEn,
    pack: packEn,
  },
  {
    locale: 'zh-CN',
    language: 'zh',
    t: zh,
    help: helpZh,
    board: boardZh,
    market: marketZh,
    trade: tradeZh,
    opening: openingZh,
    home: homeZh,
    pack: packZh,
  },
] as const

const main = (page: Page) => page.getByRole('main')

/** Expects that no gold button is disabled. */
const expectNoDeadGold = (page: Page) => expect(main(page).locator('button.bg-gold:disabled')).toHaveCount(0)

async function openPokemon(page: Page, clientSeed: string): Promise<InventoryEntry> {
  await expect(await page.request.post('/api/packs/2/open', { data: { clientSeed } })).toBeOK()
  const [entry] = await getJson<InventoryEntry[]>(page, '/api/inventory/me')
  return entry!
}

for (const { locale, language, t, help, board, market, trade, opening, home, pack } of languages) {
  test.describe(`in ${locale}`, () => {
    test.use({ locale })

    test('the landing page leads to the first card in six clicks', async ({ page }) => {
      let clicks = 0
      const press = async (button: Locator) => {
        await button.click()
        clicks += 1
      }
      await page.goto('/')
      const { name } = await getJson<{ name: string; nameZh?: string }>(page, '/api/packs/2').then((found) => ({
        name: packNameIn(language, found),
      }))
      await press(main(page).getByRole('link', { name: home.grabAPack }))
      await expect(page).toHaveURL('/open-packs')
      await press(page.getByRole('complementary').getByRole('button', { name: t.shell.user.connectWallet }))
      await press(page.getByRole('dialog').getByRole('button', { name: t.identity.demoWallet }))
      await press(main(page).getByRole('button', { name: `${t.catalogue.store.topUp('25')} ${name}`, exact: true }))
      const open = main(page).getByRole('button', { name: `${t.catalogue.store.openPack} ${name}`, exact: true })
      await expect(open).toBeFocused()
      await expectNoDeadGold(page)
      await press(open)
      await press(page.getByRole('dialog').locator('button.bg-gold'))
      await expect(page.getByRole('dialog').getByRole('heading', { name: opening.results.heading })).toBeVisible()
      const [opened] = await expectPaid(page, 25, 1)
      await expect(page.getByRole('dialog')).toContainText(opened!.items[0]!.name)
      expect(clicks).toBeLessThanOrEqual(6)
    })

    test('a newcomer connects, tops up and opens on the page of one pack', async ({ page }) => {
      await page.goto('/pack/2')
      await main(page).getByRole('button', { name: pack.connectWallet }).click()
      await page.getByRole('dialog').getByRole('button', { name: t.identity.demoWallet }).click()
      const topUp = main(page).getByRole('button', { name: t.catalogue.store.topUp('25') })
      await expect(topUp).toBeEnabled()
      await expect(topUp).toHaveAccessibleDescription(pack.testPoints)
      await expectNoDeadGold(page)
      await topUp.press('Enter')
      const open = main(page).getByRole('button', { name: pack.openPack, exact: true })
      await expect(open).toBeFocused()
      await expect(page).toHaveURL('/pack/2')
      await page.keyboard.press('Enter')
      await expect(page.getByRole('dialog')).toBeVisible()
      await expectPaid(page, 25, 0)
    })

    test('the first greeting is Welcome, and later ones Welcome back', async ({ page }) => {
      await signInWithPoints(page, 25)
      await page.goto('/')
      await expect(page.getByRole('heading', { name: home.welcome, exact: true })).toBeVisible()
      await openPokemon(page, 'greeting')
      await page.reload()
      await expect(page.getByRole('heading', { name: home.welcomeBack, exact: true })).toBeVisible()
    })

    test('the landing page shows real pulls and the state of the log', async ({ page, browser, server }) => {
      const player = await newVisitor(browser, server.url, locale)
      await signInWithPoints(player, 25)
      await openPokemon(player, `landing ${locale}`)
      await player.context().close()
      const draws = () => getJson<Draws>(page, '/api/fairness/draws')
      // Others may open packs meanwhile: compare with the counts before and after.
      const before = (await draws()).opens
      type TopPull = { item: { name: string } }
      // Pulls are counted once they are in the log.
      await expect.poll(() => getJson<TopPull[]>(page, '/api/pulls/top?period=today')).not.toEqual([])
      const fetched = new Map<string | null, Promise<TopPull[]>>()
      page.on('response', (response) => {
        const { pathname, searchParams } = new URL(response.url())
        if (pathname === '/api/pulls/top') fetched.set(searchParams.get('period'), response.json())
      })
      await page.goto('/')
      const facts = page.getByRole('region', { name: home.log.label })
      await expect(facts).toContainText(home.log.signed)
      const shown = await facts.getByText(home.log.opened).locator('xpath=following-sibling::dd').textContent()
      expect(Number(shown?.replaceAll(',', ''))).toBeGreaterThanOrEqual(before)
      expect(Number(shown?.replaceAll(',', ''))).toBeLessThanOrEqual((await draws()).opens)
      await expect(page.getByRole('region', { name: board.live }).getByRole('article').first()).toBeVisible()
      const top = page.getByRole('region', { name: board.topPulls.title })
      for (const period of ['week', 'today', 'all'] as const) {
        await top.getByRole('button', { name: board.topPulls.periods[period] }).click()
        await expect(top.getByRole('button', { name: board.topPulls.periods[period] })).toHaveAttribute(
          'aria-pressed',
          'true',
        )
        await expect.poll(() => fetched.has(period)).toBe(true)
        const [best] = (await fetched.get(period)) ?? []
        await expect(top.getByRole('article').first()).toContainText(best!.item.name)
      }
      await facts.getByRole('link', { name: home.log.check }).click()
      await expect(page).toHaveURL('/fairness')
    })

    test('signed out, the marketplace shows placeholders and fetches no listing', async ({ page }) => {
      const fetched: string[] = []
      page.on('request', (request) => fetched.push(request.url()))
      await page.goto('/marketplace')
      await expect(main(page).getByRole('heading', { name: market.market.signInTitle })).toBeVisible()
      await expect(page.getByTestId('listing-placeholder')).toHaveCount(8)
      await expect(main(page).getByRole('article')).toHaveCount(0)
      await page.waitForLoadState('networkidle')
      expect(fetched.filter((url) => /\/api\/(marketplace|saved-searches)/.test(url))).toEqual([])
    })

    test('the help page answers ten questions with the server’s figures', async ({ page }) => {
      await page.goto('/')
      await page.getByRole('contentinfo').getByRole('link', { name: t.shell.nav.help }).click()
      await expect(page.getByRole('heading', { level: 1, name: help.title })).toBeVisible()
      await expect(main(page).getByRole('heading', { level: 2 })).toHaveCount(10)
      const { rates, terms } = JSON.parse((await page.locator('#kaibao-config').textContent()) ?? '') as typeof config
      const fees = page.getByRole('region', { name: help.fees.question })
      await expect(fees).toContainText(help.fees.selling(rates.listing / 100, rates.bid / 100, rates.counter / 100))
      await expect(fees).toContainText(help.fees.notice(terms.ratesNoticeHours))
      await expect(page.getByRole('region', { name: help.points.question })).toContainText(help.points.cashOut)
      await page.getByRole('link', { name: help.rules.link }).click()
      await expect(page).toHaveURL('/rules')
    })

    test('an item’s page sells it, and then the buyer’s own copy', async ({ page, browser, server }) => {
      await signInWithPoints(page, 25)
      const { id, item } = await openPokemon(page, `item ${locale}`)
      const buyer = await newVisitor(browser, server.url, locale)
      await signInWithPoints(buyer, 1000)
      await buyer.goto(`/item/${item.id}`)
      await expect(main(buyer).getByRole('button', { name: trade.sellYours })).toHaveCount(0)
      // Below all other listings of the item.
      const { listings } = await getJson<ItemDetail>(buyer, `/api/items/${item.id}`)
      const price = Math.min(item.baseValueCents, ...listings.map(({ salePriceCents }) => salePriceCents)) - 7
      await listForSale(page, id, price)
      await buyer.reload()
      await buyListing(main(buyer), { ...trade, buy: trade.buyNow }, price, item.name)
      await expect(main(buyer).getByText(trade.gone.bought, { exact: true }).first()).toBeVisible()
      await expect(main(buyer).getByRole('link', { name: trade.viewBought })).toHaveAttribute('href', `/entry/${id}`)
      const owned = await getJson<InventoryEntry[]>(buyer, '/api/inventory/me')
      expect(owned.map((entry) => entry.id)).toEqual([id])
      expect((await getJson<{ balanceCents: number }>(buyer, '/api/wallet')).balanceCents).toBe(100_000 - price)
      await main(buyer).getByRole('button', { name: trade.sellYours }).click()
      await expect(buyer.getByRole('dialog', { name: trade.sell })).toContainText(item.name)
      await buyer.context().close()
    })
  })
}
