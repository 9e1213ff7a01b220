import type { Locator, Page } from '@playwright/test'
import { leaderboard as leaderboardEn } from '../src/features/leaderboard/texts/en'
import { leaderboard as leaderboardZh } from '../src/features/leaderboard/texts/zh'
import * as storeEn from '../src/features/store/texts/en'
import * as storeZh from '../src/features/store/texts/zh'
import type { CardChance, Opening, Pack, PackDetail } from '../src/contract/types'
import { sortedPacks } from '../src/features/store/sorted-packs'
import { packSorts } from '../src/features/store/store-search'
import { dollars, percent, points, shortDollars } from '../src/lib/format'
import { oneIn } from '../src/lib/one-in'
import { packNameIn } from '../src/lib/pack-name'
import { sidewaysScroll } from './support/axe'
import { getJson } from './support/api'
import { cardAt, scrollToCard } from './support/grid'
import { expect, test } from './support/server'
import { signInWithPoints } from './support/sign-in'

const languages = [
  { language: 'en', locale: 'en-US', t: storeEn, pulls: leaderboardEn.packPulls, topPulls: leaderboardEn.topPulls },
  { language: 'zh', locale: 'zh-CN', t: storeZh, pulls: leaderboardZh.packPulls, topPulls: leaderboardZh.topPulls },
] as const

const store = async (page: Page) => (await getJson<Pack[]>(page, '/api/packs')).filter(({ isDemo }) => !isDemo)
const cards = (page: Page) => page.getByRole('tabpanel').getByRole('article')
/** The value next to a label. */
const valueOf = (card: Locator, label: string) => card.getByText(label, { exact: true }).locator('..')

for (const { language, locale, t, pulls, topPulls } of languages) {
  test.describe(`in ${locale}`, () => {
    test.use({ locale })

    const chanceText = ({ itemsPerPack }: Pack, chance: number) =>
      itemsPerPack > 1 ? t.pack.oneInCards(oneIn(chance)) : t.pack.oneIn(oneIn(chance))

    test('a store card says what its pack yields', async ({ page }) => {
      await page.goto('/open-packs')
      for (const [index, pack] of (await store(page)).entries()) {
        const card = cards(page).nth(index)
        const price = shortDollars(pack.priceCents)
        await expect(valueOf(card, t.pack.expectedValue)).toContainText(dollars(pack.expectedValueCents))
        await expect(valueOf(card, t.store.chanceOf(price))).toContainText(percent(pack.beatsPriceChance, 0))
        await expect(valueOf(card, t.store.bestCard)).toContainText(dollars(pack.topItem!.baseValueCents))
        // It may be the last big pull, too.
        await expect(card.getByRole('img', { name: pack.topItem!.name, exact: true }).first()).toBeVisible()
        const big = pack.lastBigPull
        await expect(valueOf(card, t.store.lastBigPull)).toContainText(big ? dollars(big.valueCents) : t.store.noneYet)
      }
    })

    test('the store is sorted by the choice in its address', async ({ page }) => {
      await page.goto('/open-packs')
      const packs = await store(page)
      const names = (sorted: readonly Pack[]) => sorted.map((pack) => packNameIn(language, pack))
      const select = page.getByRole('combobox', { name: t.store.sort })
      for (const sort of packSorts) {
        await select.selectOption(t.store.sorts[sort])
        await expect(page).toHaveURL(`/open-packs?sort=${sort}`)
        await expect(cards(page).getByRole('heading')).toHaveText(names(sortedPacks(packs, sort)))
      }
      await page.reload()
      await expect(select).toHaveValue('value')
      await expect(cards(page).getByRole('heading')).toHaveText(names(sortedPacks(packs, 'value')))
      await page.getByRole('tab').last().click()
      await expect(page).toHaveURL('/open-packs?sort=value#labubu')
      await select.selectOption(t.store.sorts.featured)
      await expect(page).toHaveURL('/open-packs#labubu')
    })

    test('a pack’s page says what one can win, will probably get and pays on average', async ({ page }) => {
      for (const id of ['2', '8', 'demo-pack-1']) {
        const pack = await getJson<PackDetail>(page, `/api/packs/${id}`)
        const top = (await getJson<CardChance[]>(page, `/api/packs/${id}/cards`)).slice(0, 5)
        await page.goto(`/pack/${id}`)
        const win = page.getByRole('region', { name: t.pack.questions.win })
        await expect(win.getByRole('listitem')).toContainText(
          top.map(({ valueCents, chance }) => `${dollars(valueCents)}${chanceText(pack, chance)}`),
        )
        for (const { item } of top)
          await expect(win.getByRole('link', { name: item.name, exact: true })).toHaveAttribute(
            'href',
            `/item/${item.id}`,
          )
        const get = page.getByRole('region', { name: t.pack.questions.get })
        const { beatsPriceChance, priceCents, distribution, itemsPerPack, approximate } = pack
        await expect(get).toContainText(
          t.pack.distributionLead({
            chance: percent(beatsPriceChance, 0),
            price: shortDollars(priceCents),
            median: shortDollars(distribution.medianCents),
            cards: itemsPerPack,
            approximate,
          }),
        )
        await expect(get.getByRole('img', { name: t.pack.distribution })).toBeVisible()
        await expect(page.getByRole('region', { name: t.pack.questions.cost })).toContainText(
          `${t.pack.averageValue(dollars(pack.expectedValueCents), itemsPerPack)} ${t.pack.averageSellBack(points(pack.cashBackCents!))}`,
        )
      }
    })

    test('the weights are folded away, and open by keyboard', async ({ page }) => {
      await page.goto('/pack/2')
      const table = page.getByRole('table', { name: t.pack.oddsTable })
      await expect(table).toBeHidden()
      await page.locator('summary').filter({ hasText: t.pack.howComputed }).focus()
      await page.keyboard.press('Enter')
      await expect(table).toBeVisible()
      await expect(table).toContainText(t.pack.oddsColumns.weight)
    })

    test('a pull appears among the pulls of its pack only', async ({ page }) => {
      await signInWithPoints(page, 25)
      await expect(await page.request.post('/api/packs/4/open', { data: { clientSeed: 'pulls' } })).toBeOK()
      const [opened] = await getJson<Opening[]>(page, '/api/opens')
      const { name, id } = opened!.items[0]!
      const top = page.getByRole('region', { name: topPulls.title })
      // The server answers from a cache for a second.
      const listed = () => getJson<{ item: { name: string } }[]>(page, '/api/pulls/top?packId=4&period=week')
      await expect.poll(async () => (await listed()).map(({ item }) => item.name)).toContain(name)
      await page.goto('/pack/4')
      await expect(top.getByRole('link', { name })).toBeVisible()
      const latest = page.getByRole('region', { name: pulls.latest })
      await expect(latest.getByRole('link', { name }).first()).toHaveAttribute('href', `/item/${id}`)
      for (const period of [topPulls.periods.all, topPulls.periods.today]) {
        await top.getByRole('button', { name: period }).click()
        await expect(top.getByRole('button', { name: period })).toHaveAttribute('aria-pressed', 'true')
        await expect(top.getByRole('link', { name })).toBeVisible()
      }
      // Long names don't widen the page.
      await page.setViewportSize({ width: 768, height: 720 })
      await expect.poll(() => sidewaysScroll(page)).toBe(0)
      await page.goto('/pack/5')
      await expect(top).toContainText(topPulls.none.week)
      await expect(latest).toContainText(pulls.noneLately)
    })

    test('all cards can be scrolled through, searched and visited', async ({ page }) => {
      const pack = await getJson<Pack>(page, '/api/packs/2')
      const all = await getJson<CardChance[]>(page, '/api/packs/2/cards?limit=200')
      const [first, last] = [all[0]!, all.at(-1)!]
      await page.goto('/pack/2')
      const list = page.getByRole('region', { name: t.pack.allCards })
      await expect(cardAt(page, 1)).toContainText(first.item.name)
      await scrollToCard(page, all.length)
      await expect(cardAt(page, all.length)).toContainText(last.item.name)
      await expect(cardAt(page, all.length)).toContainText(
        `${dollars(last.valueCents)}${chanceText(pack, last.chance)}`,
      )
      await expect(list.getByRole('listitem').first()).not.toHaveAttribute('aria-posinset', '1')

      const search = list.getByRole('searchbox', { name: t.pack.searchCards })
      await search.fill('no such card')
      await expect(list.getByText(t.pack.noMatch)).toBeVisible()
      await list.getByRole('button', { name: t.pack.clearSearch }).click()
      await search.fill('charizard')
      const found = all.filter(({ item }) => /charizard/i.test(item.name))
      await expect(cardAt(page, 1)).toHaveAttribute('aria-setsize', String(found.length))
      await list.getByRole('link', { name: found[0]!.item.name }).click()
      await expect(page).toHaveURL(`/item/${found[0]!.item.id}`)
      await expect(page.getByRole('heading', { level: 1, name: found[0]!.item.name })).toBeVisible()
    })
  })
}
