import type { Page } from '@playwright/test'
import { sellBack as textsEn } from '../src/features/sellback/texts/en'
import { sellBack as textsZh } from '../src/features/sellback/texts/zh'
import * as en from '../src/i18n/texts/en'
import * as zh from '../src/i18n/texts/zh'
import { opening as openingEn } from '../src/features/opening/texts/en'
import { opening as openingZh } from '../src/features/opening/texts/zh'
import { pack as packEn } from '../src/features/store/texts/en'
import { pack as packZh } from '../src/features/store/texts/zh'
import { cards as cardsEn } from '../src/features/inventory/texts/en'
import { cards as cardsZh } from '../src/features/inventory/texts/zh'
import type { InventoryEntry, Transaction } from '../src/contract/types'
import { dollars, points } from '../src/lib/format'
import { bidValue, listForSale, getJson, sendToVault } from './support/api'
import { cardAt } from './support/grid'
import { expect, makeAdmin, type Server, test } from './support/server'
import { signInWithPoints } from './support/sign-in'

const languages = [
  { locale: 'en-US', t: textsEn, opening: openingEn, pack: packEn, starter: 'Starter Dawn', cards: cardsEn },
  { locale: 'zh-CN', t: textsZh, opening: openingZh, pack: packZh, starter: '新手卡包·晨曦', cards: cardsZh },
]

/** Matches a text with any amount. */
const anyAmount = (text: (amount: string) => string) => new RegExp(text('~').replace('~', '.*'))

const sellCall = '**/api/inventory/quick-sell'

const dialog = (page: Page, n: number, t = textsEn) => page.getByRole('dialog', { name: t.title(n), exact: true })
const bar = (page: Page, t = textsEn) => page.getByRole('region', { name: t.bar })
const notices = (page: Page, texts: { shell: { notifications: string } } = en) =>
  page.getByRole('region', { name: texts.shell.notifications, includeHidden: true })
const sum = (entries: readonly { sellBackCents: number }[]) =>
  entries.reduce((total, { sellBackCents }) => total + sellBackCents, 0)
const quickSell = (page: Page, { sellBackCents, item }: InventoryEntry, t = textsEn) =>
  page
    .getByRole('main')
    .getByRole('button', { name: t.quickSellItem(dollars(sellBackCents), item.name) })
    .first()
const inventory = (page: Page) => getJson<InventoryEntry[]>(page, '/api/inventory/me?limit=200')

/** Signs in a user with points and opens packs. */
async function signInWithPulls(page: Page, ...packs: string[]): Promise<InventoryEntry[]> {
  await signInWithPoints(page, 500)
  for (const pack of packs) {
    await expect(await page.request.post(`/api/packs/${pack}/open`, { data: { clientSeed: pack } })).toBeOK()
  }
  return inventory(page)
}

const balanceOf = async (page: Page) => (await getJson<{ balanceCents: number }>(page, '/api/wallet')).balanceCents

/** Expects the server to have sold exactly these for their quotes, with a transaction for each. */
async function expectSold(page: Page, sold: readonly InventoryEntry[], before: number, left: number): Promise<void> {
  expect(await balanceOf(page)).toBe(before + sum(sold))
  const owned = (await inventory(page)).map(({ id }) => id)
  expect(owned).toHaveLength(left)
  for (const { id } of sold) expect(owned).not.toContain(id)
  const lines = await getJson<Transaction[]>(page, '/api/wallet/transactions?limit=200')
  const paid = lines.filter(({ kind }) => kind === 'sell-back')
  expect(paid.map(({ amountCents }) => amountCents).toSorted((a, b) => a - b)).toEqual(
    sold.map(({ sellBackCents }) => sellBackCents).toSorted((a, b) => a - b),
  )
}

for (const { locale, t, opening, pack, starter, cards } of languages) {
  test.describe(`in ${locale}`, () => {
    test.use({ locale })

    test('pulled cards are sold from the results, first one and then the rest', async ({ page }) => {
      await signInWithPoints(page, 25)
      await page.goto('/pack/demo-pack-1')
      await page.getByRole('button', { name: pack.openPack, exact: true }).click()
      const results = page.getByRole('dialog', { name: opening.dialog(starter) })
      await results.getByRole('button', { name: opening.intro.start('25') }).click()
      const heading = results.getByRole('heading', { name: opening.results.heading })
      await expect(async () => {
        const skip = results.getByRole('button', { name: opening.skip })
        if (await skip.isVisible()) await skip.click({ timeout: 1000 })
        await expect(heading).toBeVisible({ timeout: 250 })
      }).toPass()
      const pulled = await inventory(page)
      const sells = results.getByRole('button', { name: anyAmount(t.quickSell) })
      await expect(sells).toHaveCount(5)
      await sells.first().click()
      const confirm = dialog(page, 1, t).getByRole('button', { name: anyAmount(t.confirm) })
      await confirm.click()
      await expect(results.getByText(anyAmount(t.soldFor))).toBeVisible()
      await expect(sells).toHaveCount(4)
      // The button is gone; focus stays in the results.
      await expect(results.locator(':focus')).toHaveCount(1)
      const left = await inventory(page)
      expect(left).toHaveLength(4)
      await results
        .getByRole('button', { name: new RegExp(`^${t.sellAll(4).replace(/[()（）]/g, '.')}.*${points(sum(left))}`) })
        .click()
      await dialog(page, 4, t)
        .getByRole('button', { name: t.confirm(dollars(sum(left))) })
        .click()
      await expect(results.getByText(anyAmount(t.soldFor))).toHaveCount(5)
      await expectSold(page, pulled, 0, 0)
    })

    test('cards are sold from the vault and My cards by keyboard', async ({ page }) => {
      const all = await signInWithPulls(page, '2', '3')
      for (const { id } of all) await sendToVault(page, id)
      const before = await balanceOf(page)
      await page.goto('/vault')
      await quickSell(page, all[0]!, t).focus()
      await page.keyboard.press('Enter')
      await expect(dialog(page, 1, t).getByRole('timer')).toBeVisible()
      await page.keyboard.press('Escape')
      await expect(dialog(page, 1, t)).toBeHidden()
      await expect(quickSell(page, all[0]!, t)).toBeFocused()
      await page.keyboard.press('Enter')
      await expect(dialog(page, 1, t).getByRole('timer')).toBeVisible()
      await dialog(page, 1, t)
        .getByRole('button', { name: anyAmount(t.confirm) })
        .focus()
      await page.keyboard.press('Enter')
      await expect(dialog(page, 1, t)).toBeHidden()
      await expect(page.getByRole('main')).toBeFocused()
      await page.goto('/my-cards')
      await quickSell(page, all[1]!, t).click()
      await dialog(page, 1, t)
        .getByRole('button', { name: anyAmount(t.confirm) })
        .click()
      await expect(page.getByText(cards.emptyTitle)).toBeVisible()
      await expectSold(page, all, before, 0)
    })
  })
}

// The other journeys are in English.
test('each card sells to the highest offer: one to a bid, the other to Kaibao', async ({ page, browser, server }) => {
  const [wanted, other] = await signInWithPulls(page, '2', '3')
  const context = await browser.newContext({ baseURL: server.url, locale: 'en-US' })
  const bidder = await context.newPage()
  await signInWithPoints(bidder, 1000)
  await bidValue(bidder, wanted!)
  const before = await balanceOf(page)
  const bid = wanted!.item.baseValueCents
  const net = bid - Math.round((bid * 2) / 100)
  const payout = dollars(net + other!.sellBackCents)

  await page.goto('/my-collection')
  await page.getByRole('button', { name: textsEn.select }).click()
  await bar(page).getByRole('button', { name: textsEn.all, exact: true }).click()
  await bar(page)
    .getByRole('button', { name: textsEn.pick(dollars(sum([wanted!, other!]))) })
    .click()
  const lines = dialog(page, 2).getByRole('listitem')
  await expect(lines.filter({ hasText: textsEn.buyer.bid })).toContainText(
    textsEn.buyer.bidOverKaibao(dollars(bid), dollars(net), 2, dollars(wanted!.sellBackCents)),
  )
  await expect(lines.filter({ hasText: textsEn.buyer.kaibao })).toContainText(dollars(other!.sellBackCents))
  await expect(dialog(page, 2)).toContainText(textsEn.allToKaibao + points(sum([wanted!, other!])))
  await dialog(page, 2)
    .getByRole('button', { name: textsEn.confirm(payout) })
    .click()
  await expect(notices(page)).toContainText(textsEn.sold(payout) + textsEn.soldText(1, 1))
  expect(await balanceOf(page)).toBe(before + net + other!.sellBackCents)
  expect(await inventory(page)).toEqual([])
  expect((await inventory(bidder)).map(({ id }) => id)).toEqual([wanted!.id])
  expect(await balanceOf(bidder)).toBe(100_000 - bid)
  await context.close()
})

test.describe('in Chinese', () => {
  const [t, texts] = [textsZh, zh]
  test.use({ locale: 'zh-CN' })

  test('one card is sold from the collection after the dialog shows price and expiry', async ({ page }) => {
    const [card, ...rest] = await signInWithPulls(page, '2', '3')
    const before = await balanceOf(page)
    await page.goto('/my-collection')
    await quickSell(page, card!, t).click()
    const payout = dollars(card!.sellBackCents)
    await expect(dialog(page, 1, t)).toContainText(card!.item.name)
    await expect(dialog(page, 1, t)).toContainText(t.text(1))
    await expect(dialog(page, 1, t)).toContainText(t.total + points(card!.sellBackCents))
    await expect(dialog(page, 1, t).getByRole('timer')).toHaveText(t.hours('23', '59'))
    expect(await balanceOf(page)).toBe(before)
    await dialog(page, 1, t)
      .getByRole('button', { name: t.confirm(payout) })
      .click()
    await expect(notices(page, texts)).toContainText(t.sold(payout))
    await expect(quickSell(page, card!, t)).toBeHidden()
    await expect(page.getByRole('complementary')).toContainText(dollars(before + card!.sellBackCents).slice(1))
    await expectSold(page, [card!], before, rest.length)
  })

  test('several selected cards are sold in one step', async ({ page }) => {
    const all = await signInWithPulls(page, 'demo-pack-1', '2')
    const listed = all[1]!
    await listForSale(page, listed.id, 1234)
    const sold = all.filter(({ id }) => id !== listed.id)
    const before = await balanceOf(page)
    await page.goto('/my-collection')
    await page.getByRole('button', { name: t.select }).click()
    await expect(bar(page, t)).toBeFocused()
    await expect(page.getByRole('article').filter({ hasText: t.listed })).toHaveCount(1)
    await expect(page.getByRole('checkbox')).toHaveCount(all.length)
    await bar(page, t).getByRole('button', { name: t.all, exact: true }).click()
    await expect(bar(page, t)).toContainText(t.picked(all.length))
    const payout = dollars(sum(sold))
    await bar(page, t)
      .getByRole('button', { name: t.pick(payout) })
      .click()
    await dialog(page, sold.length, t)
      .getByRole('button', { name: t.confirm(payout) })
      .click()
    // Listed cards stay selected.
    await expect(bar(page, t)).toContainText(t.picked(1))
    await expect(page.getByRole('main').getByRole('article')).toHaveCount(1)
    await expectSold(page, sold, before, 1)
  })
})

test('a lost response is retried, and everything is sold once', async ({ page }) => {
  const [card] = await signInWithPulls(page, '2')
  const before = await balanceOf(page)
  await page.goto('/my-collection')
  await page.route(
    sellCall,
    async (route) => {
      await route.fetch()
      await route.abort('connectionreset')
    },
    // The page retries twice by itself.
    { times: 3 },
  )
  await quickSell(page, card!).click()
  await dialog(page, 1)
    .getByRole('button', { name: /^Sell for/ })
    .click()
  await expect(dialog(page, 1).getByRole('alert')).toHaveText(textsEn.unsure)
  await dialog(page, 1).getByRole('button', { name: textsEn.tryAgain }).click()
  await expect(notices(page)).toContainText(textsEn.sold(dollars(card!.sellBackCents)))
  await expect(dialog(page, 1)).toBeHidden()
  await expectSold(page, [card!], before, 0)
})

test('cards sold on another device meanwhile are dropped, and the rest are offered', async ({ page }) => {
  const all = await signInWithPulls(page, '2', '3')
  const before = await balanceOf(page)
  await page.goto('/my-collection')
  await page.getByRole('button', { name: textsEn.select }).click()
  await bar(page).getByRole('button', { name: textsEn.all, exact: true }).click()
  await bar(page)
    .getByRole('button', { name: /^Sell for/ })
    .click()
  await expect(dialog(page, 2).getByRole('timer')).toBeVisible()
  await expect(await page.request.post('/api/inventory/sell-back', { data: { inventoryIds: [all[0]!.id] } })).toBeOK()
  await dialog(page, 2)
    .getByRole('button', { name: /^Sell for/ })
    .click()
  await expect(dialog(page, 2).getByRole('alert')).toHaveText(textsEn.leftOut(1, textsEn.why.already_sold))
  await dialog(page, 2)
    .getByRole('button', { name: textsEn.confirm(dollars(all[1]!.sellBackCents)) })
    .click()
  await expect(dialog(page, 2)).toBeHidden()
  await expectSold(page, all, before, 0)
})

/** Sets an item's base value. */
async function revalue(page: Page, id: string, baseValueCents: number): Promise<void> {
  const data = { baseValueCents, source: 'e2e', reason: 'a journey' }
  await expect(await page.request.patch(`/api/admin/items/${id}`, { data })).toBeOK()
}

/** Makes the visitor an admin. */
async function becomeAdmin(page: Page, server: Server): Promise<void> {
  await makeAdmin(server, (await getJson<{ walletAddress: string }>(page, '/api/auth/user')).walletAddress)
}

test('a value that fell meanwhile is shown before anything is sold for less', async ({ page, browser, server }) => {
  // The floor only holds for the user who pulled it, so another user buys it.
  const [card] = await signInWithPulls(page, '4')
  await becomeAdmin(page, server)
  await listForSale(page, card!.id, 100)
  const context = await browser.newContext({ baseURL: server.url, locale: 'en-US' })
  const buyer = await context.newPage()
  await signInWithPoints(buyer, 25)
  await expect(await buyer.request.post('/api/marketplace/buy', { data: { inventoryId: card!.id } })).toBeOK()
  const [bought] = await inventory(buyer)
  const before = await balanceOf(buyer)
  await buyer.goto('/my-collection')
  await quickSell(buyer, bought!).click()
  await expect(dialog(buyer, 1)).toContainText(textsEn.floating(1))
  await revalue(page, card!.item.id, Math.floor(card!.item.baseValueCents / 2))
  const [fallen] = await inventory(buyer)
  expect(fallen!.sellBackCents).toBeLessThan(bought!.sellBackCents)
  await dialog(buyer, 1)
    .getByRole('button', { name: textsEn.confirm(dollars(bought!.sellBackCents)) })
    .click()
  await expect(dialog(buyer, 1).getByRole('alert')).toHaveText(
    textsEn.fell(dollars(bought!.sellBackCents), dollars(fallen!.sellBackCents)),
  )
  expect(await balanceOf(buyer)).toBe(before)
  await dialog(buyer, 1)
    .getByRole('button', { name: textsEn.confirm(dollars(fallen!.sellBackCents)) })
    .click()
  await expect(dialog(buyer, 1)).toBeHidden()
  await expectSold(buyer, [fallen!], before, 0)
  await revalue(page, card!.item.id, card!.item.baseValueCents)
  await context.close()
})

test('selecting all loads every page first, and the sale takes several requests', async ({ page }) => {
  await signInWithPoints(page, 1000)
  for (let n = 0; n < 21; n++) {
    const data = { clientSeed: `many ${n}` }
    await expect(await page.request.post('/api/packs/demo-pack-1/open', { data })).toBeOK()
  }
  const all = await inventory(page)
  expect(all).toHaveLength(105)
  const before = await balanceOf(page)
  const calls: string[] = []
  page.on('request', (request) => request.url().endsWith('/quick-sell') && calls.push(request.url()))
  await page.goto('/my-collection')
  await expect(cardAt(page, 1)).toBeVisible()
  await page.getByRole('button', { name: textsEn.select }).click()
  await bar(page).getByRole('button', { name: textsEn.all, exact: true }).click()
  await expect(bar(page)).toContainText(textsEn.picked(105))
  await expect(cardAt(page, 105)).toHaveCount(0)
  await bar(page)
    .getByRole('button', { name: textsEn.pick(dollars(sum(all))) })
    .click()
  await expect(dialog(page, 105)).toContainText(textsEn.calls(2, 100))
  await dialog(page, 105)
    .getByRole('button', { name: /^Sell for/ })
    .click()
  await expect(page.getByText('No Items Found')).toBeVisible()
  expect(calls).toHaveLength(2)
  await expectSold(page, all, before, 0)
})
