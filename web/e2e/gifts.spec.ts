import type { Browser, Page } from '@playwright/test'
import * as en from '../src/i18n/texts/en'
import * as zh from '../src/i18n/texts/zh'
import { alerts as alertsEn } from '../src/features/alerts/texts/en'
import { alerts as alertsZh } from '../src/features/alerts/texts/zh'
import { profile as profileEn } from '../src/features/auth/texts/en'
import { profile as profileZh } from '../src/features/auth/texts/zh'
import * as giftsEn from '../src/features/gifts/texts/en'
import * as giftsZh from '../src/features/gifts/texts/zh'
import { states as statesEn } from '../src/features/inventory/texts/en'
import { states as statesZh } from '../src/features/inventory/texts/zh'
import { item as itemEn } from '../src/features/item/texts/en'
import { item as itemZh } from '../src/features/item/texts/zh'
import { sellBack as sellEn } from '../src/features/sellback/texts/en'
import { sellBack as sellZh } from '../src/features/sellback/texts/zh'
import type { Alert, Gift, InventoryEntry } from '../src/contract/types'
import { accessibilityViolations } from './support/axe'
import { getJson, giveToWallet, listForSale } from './support/api'
import { expect, test } from './support/server'
import { newVisitor, signInWithPoints, signInWithWallet } from './support/sign-in'

test.slow()

const ownEntries = (page: Page) => getJson<InventoryEntry[]>(page, '/api/inventory/me')
const dialogOf = (page: Page) => page.getByRole('dialog')
const cards = (page: Page, name: string) => page.getByRole('list', { name }).getByRole('article')
const exactButton = (page: Page, name: string) => page.getByRole('button', { name, exact: true })

/** Opens packs and returns their cards, newest first. */
async function pull(page: Page, count: number): Promise<InventoryEntry[]> {
  for (let n = 0; n < count; n += 1) {
    await expect(await page.request.post('/api/packs/2/open', { data: { clientSeed: `gift ${n}` } })).toBeOK()
  }
  return ownEntries(page)
}

/** Records what the page sends, to find secrets in it. */
function recordRequests(page: Page): { urls: string[]; bodies: [path: string, body: string][] } {
  const sent: ReturnType<typeof recordRequests> = { urls: [], bodies: [] }
  page.on('request', (request) => {
    sent.urls.push(request.url(), request.headers()['referer'] ?? '')
    sent.bodies.push([new URL(request.url()).pathname, request.postData() ?? ''])
  })
  return sent
}

for (const { locale, t, alerts, profile, texts, states, item, sell } of [
  {
    locale: 'en-US',
    t: en,
    alerts: alertsEn,
    profile: profileEn,
    texts: giftsEn,
    states: statesEn,
    item: itemEn,
    sell: sellEn,
  },
  {
    locale: 'zh-CN',
    t: zh,
    alerts: alertsZh,
    profile: profileZh,
    texts: giftsZh,
    states: statesZh,
    item: itemZh,
    sell: sellZh,
  },
] as const) {
  const { gifts, give, linked, refuse } = texts

  /** A visitor with these points and no wallet in the browser, and their signature. */
  const collector = async (browser: Browser, url: string, points = 1) => {
    const page = await newVisitor(browser, url, locale)
    return { page, signer: await signInWithPoints(page, points) }
  }

  test.describe(locale, () => {
    test.use({ locale })

    test('a card is given by a link, which a newcomer opens and accepts', async ({ page, browser, server }) => {
      await signInWithWallet(page, 50)
      const [entry] = await pull(page, 1)
      const { id, item: card } = entry!
      const sent = recordRequests(page)
      await page.goto('/my-collection')
      await exactButton(page, sell.giveItem(card.name)).click()
      const dialog = dialogOf(page)
      await expect(dialog.getByRole('radio', { name: give.byLink })).toBeChecked()
      expect(await accessibilityViolations(page)).toEqual([])
      await dialog.getByRole('button', { name: give.next }).click()
      await expect(dialog.getByRole('group', { name: give.message })).toContainText(`1. ${card.name} [${id}]`)
      expect(await accessibilityViolations(page)).toEqual([])
      await dialog.getByRole('button', { name: give.sign(1) }).click()
      const link = await dialog.getByRole('textbox', { name: gifts.link }).inputValue()
      const [address = '', secret = ''] = link.split('#')
      expect(address).toMatch(/\/gift\/[^/?]+$/)
      expect(secret).toMatch(/^[0-9a-f]{32}$/)
      expect(await accessibilityViolations(page)).toEqual([])
      await dialog.getByRole('button', { name: give.close }).click()
      await expect(page.getByRole('article').filter({ hasText: card.name })).toContainText(states.giving)

      // The browser shows the link again while the gift waits.
      await page.getByRole('link', { name: sell.seeGiftOf(card.name) }).click()
      const waiting = cards(page, gifts.waiting)
      await expect(waiting.getByRole('textbox', { name: gifts.link })).toHaveValue(link)
      expect(await accessibilityViolations(page)).toEqual([])
      expect(sent.urls.filter((url) => url.includes(secret))).toEqual([])
      expect(sent.bodies.filter(([, body]) => body.includes(secret))).toEqual([])

      const newcomer = await newVisitor(browser, server.url, locale)
      const theirs = recordRequests(newcomer)
      await newcomer.goto(link)
      await expect(newcomer.getByRole('heading', { level: 1, name: linked.headingAnonymous })).toBeVisible()
      await expect(newcomer.getByRole('article')).toContainText(card.name)
      await expect(newcomer).toHaveURL(address)
      expect(await accessibilityViolations(newcomer)).toEqual([])
      await newcomer.reload()
      await newcomer.getByRole('button', { name: linked.connect }).click()
      await dialogOf(newcomer).getByRole('button', { name: t.identity.demoWallet }).click()
      await newcomer.getByRole('button', { name: gifts.accept }).click()
      await expect(newcomer.getByRole('heading', { level: 1, name: linked.mineTitle })).toBeVisible()
      expect(await accessibilityViolations(newcomer)).toEqual([])
      expect(await ownEntries(newcomer)).toMatchObject([{ id, state: 'held', acquiredFrom: 'gift' }])
      await newcomer.getByRole('main').getByRole('link', { name: linked.toCollection }).click()
      await expect(newcomer.getByRole('article')).toContainText(card.name)
      // Only the calls that need the secret contain it.
      expect(theirs.urls.filter((url) => url.includes(secret) && url !== link)).toEqual([])
      const paths = theirs.bodies.filter(([, body]) => body.includes(secret)).map(([path]) => path)
      const giftPath = new URL(address).pathname.replace('/gift/', '/api/gifts/')
      expect(new Set(paths)).toEqual(new Set([`${giftPath}/view`, `${giftPath}/accept`]))
      await newcomer.goto(`/entry/${id}`)
      await expect(newcomer.getByText(item.history.kinds['gift-accepted'])).toBeVisible()

      const late = await newVisitor(browser, server.url, locale)
      await late.goto(link)
      await expect(late.getByRole('heading', { level: 1, name: linked.ended.accepted.title })).toBeVisible()

      await page.goto('/alerts')
      await page.getByRole('main').getByRole('link', { name: card.name }).click()
      await expect(cards(page, gifts.past)).toContainText(gifts.states.accepted)
      await expect(page.getByRole('textbox', { name: gifts.link })).toHaveCount(0)
      expect(await page.evaluate((part) => JSON.stringify(localStorage).includes(part), secret)).toBe(false)
      for (const other of [newcomer, late]) await other.context().close()
    })

    test('selected cards are given to a wallet, which accepts them', async ({ page, browser, server }) => {
      await signInWithWallet(page, 100)
      const given = await pull(page, 2)
      const receiver = await collector(browser, server.url)
      await page.goto('/my-collection')
      await exactButton(page, sell.select).click()
      await exactButton(page, sell.all).click()
      await exactButton(page, sell.giveMany(2)).click()
      const dialog = dialogOf(page)
      await dialog.getByRole('radio', { name: give.toWallet }).check()
      const address = dialog.getByRole('textbox', { name: give.address })
      await address.fill('nobody')
      await dialog.getByRole('button', { name: give.next }).click()
      await expect(address).toHaveAccessibleDescription(give.addressInvalid)
      await expect(address).toBeFocused()
      await address.fill(receiver.signer.address)
      await dialog.getByRole('button', { name: give.next }).click()
      await expect(dialog).toContainText(`To wallet: ${receiver.signer.address}`)
      await dialog.getByRole('button', { name: give.sign(2) }).click()
      await expect(dialog).toBeHidden()
      await expect(page.getByRole('article').filter({ hasText: states.giving })).toHaveCount(2)

      await receiver.page.goto('/alerts')
      const [alert] = await getJson<Alert[]>(receiver.page, '/api/alerts')
      expect(alert).toMatchObject({ kind: 'gift', giftEvent: 'offered' })
      await expect(cards(receiver.page, alerts.title)).toContainText(alerts.gift.offered)
      await cards(receiver.page, alerts.title).getByRole('link').click()
      const waiting = cards(receiver.page, gifts.waiting)
      for (const { item: card } of given) await expect(waiting).toContainText(card.name)
      expect(await accessibilityViolations(receiver.page)).toEqual([])
      await waiting.getByRole('button', { name: gifts.accept }).click()
      await expect(cards(receiver.page, gifts.past)).toContainText(gifts.states.accepted)
      expect((await ownEntries(receiver.page)).map(({ id }) => id).toSorted()).toEqual(
        given.map(({ id }) => id).toSorted(),
      )
      expect(await ownEntries(page)).toEqual([])
      await receiver.page.context().close()
    })

    test('a gift is refused and its giver blocked, until they are unblocked', async ({ page, browser, server }) => {
      const giver = await collector(browser, server.url, 50)
      const [entry] = await pull(giver.page, 1)
      const { id, item: card } = entry!
      const { address } = await signInWithPoints(page, 1)
      await giveToWallet(giver.page, giver.signer, [id], address)
      await page.goto('/gifts')
      await cards(page, gifts.waiting).getByRole('button', { name: gifts.refuse }).click()
      const dialog = page.getByRole('dialog', { name: refuse.title })
      await dialog.getByRole('checkbox', { name: refuse.block(gifts.anonymous) }).check()
      expect(await accessibilityViolations(page)).toEqual([])
      await dialog.getByRole('button', { name: refuse.confirm }).click()
      await expect(dialog).toBeHidden()
      await expect(cards(page, gifts.past)).toContainText(gifts.states.refused)
      expect(await ownEntries(giver.page)).toMatchObject([{ id, state: 'held' }])

      await giveToWallet(giver.page, giver.signer, [id], address)
      await page.reload()
      await expect(page.getByRole('heading', { name: gifts.noneReceived })).toBeVisible()
      // The giver sees a gift that waits like any other.
      await giver.page.goto('/gifts?side=given')
      await expect(cards(giver.page, gifts.waiting)).toContainText(card.name)
      await expect(cards(giver.page, gifts.past)).toContainText(gifts.states.refused)

      await page
        .getByRole('list', { name: gifts.blockedTitle })
        .getByRole('button', { name: gifts.unblockOf(gifts.anonymous) })
        .click()
      await expect(cards(page, gifts.waiting)).toContainText(card.name)
      await expect(page.getByRole('heading', { name: gifts.blockedTitle })).toHaveCount(0)
      await giver.page.context().close()
    })

    test('a gift is canceled from the card’s page', async ({ page, browser, server }) => {
      await signInWithWallet(page, 50)
      const [entry] = await pull(page, 1)
      const { id, item: card } = entry!
      await page.goto(`/entry/${id}`)
      await exactButton(page, sell.giveItem(card.name)).click()
      const dialog = dialogOf(page)
      await dialog.getByRole('button', { name: give.next }).click()
      await dialog.getByRole('button', { name: give.sign(1) }).click()
      const link = await dialog.getByRole('textbox', { name: gifts.link }).inputValue()

      // The giver can't accept it, and gets the link again.
      await page.goto(link)
      await expect(page.getByRole('heading', { level: 1, name: linked.ownHeading })).toBeVisible()
      await expect(page.getByRole('textbox', { name: gifts.link })).toHaveValue(link)
      await expect(page.getByRole('button', { name: gifts.accept })).toHaveCount(0)
      expect(await accessibilityViolations(page)).toEqual([])

      await page.goto(`/entry/${id}`)
      await expect(page.getByRole('main')).toContainText(item.entry.states.giving)
      await page.getByRole('link', { name: sell.seeGiftOf(card.name) }).click()
      await cards(page, gifts.waiting).getByRole('button', { name: gifts.cancel }).click()
      await expect(cards(page, gifts.past)).toContainText(gifts.states.canceled)
      expect(await ownEntries(page)).toMatchObject([{ id, state: 'held' }])

      const late = await newVisitor(browser, server.url, locale)
      await late.goto(link)
      await expect(late.getByRole('heading', { level: 1, name: linked.ended.canceled.title })).toBeVisible()
      await late.goto(`${link.slice(0, -1)}${link.endsWith('0') ? '1' : '0'}`)
      await late.reload()
      await expect(late.getByRole('heading', { level: 1, name: linked.unknown })).toBeVisible()
      await late.goto('/gift/anything')
      await expect(late.getByRole('heading', { level: 1, name: linked.incomplete })).toBeVisible()
      expect(await accessibilityViolations(late)).toEqual([])
      await late.context().close()
    })

    test('refusals say what stands in the way', async ({ page, browser, server }) => {
      const signer = await signInWithWallet(page, 150)
      const entries = await pull(page, 5)
      const receiver = await collector(browser, server.url)
      const [kept, listed, ...given] = entries
      await page.goto('/my-collection')
      await exactButton(page, sell.select).click()
      await exactButton(page, sell.all).click()
      await exactButton(page, sell.giveMany(5)).click()
      // Meanwhile, another tab lists one of them.
      await listForSale(page, listed!.id, 999_900)
      const dialog = dialogOf(page)
      const next = dialog.getByRole('button', { name: give.next })
      await next.click()
      await expect(dialog.getByRole('alert')).toContainText(give.refused)
      await expect(dialog.getByText(give.refusedMark)).toHaveCount(1)
      await dialog.getByRole('button', { name: give.leaveOut(1) }).click()
      await expect(dialog.getByRole('heading', { name: give.title(4) })).toBeVisible()
      await dialog.getByRole('button', { name: give.cancel }).click()
      await expect(dialog).toBeHidden()

      for (const { id } of given) await giveToWallet(page, signer, [id], receiver.signer.address)
      await page.reload()
      await exactButton(page, sell.giveItem(kept!.item.name)).first().click()
      await dialog.getByRole('radio', { name: give.toWallet }).check()
      await dialog.getByRole('textbox', { name: give.address }).fill(receiver.signer.address)
      await next.click()
      await expect(page.getByRole('region', { name: t.shell.notifications, includeHidden: true })).toContainText(
        texts.giftErrors.waiting('3'),
      )
      const waiting = await getJson<Gift[]>(page, '/api/gifts?side=given&state=waiting')
      expect(waiting).toHaveLength(3)
      await receiver.page.context().close()
    })

    test('gifts are turned off and on in the profile', async ({ page, browser, server }) => {
      const giver = await collector(browser, server.url, 50)
      const [entry] = await pull(giver.page, 1)
      const { address } = await signInWithPoints(page, 1)
      await page.goto('/gifts')
      await page.getByRole('complementary').getByRole('button', { name: t.shell.user.profile }).click()
      const dialog = page.getByRole('dialog', { name: profile.title })
      await dialog.getByRole('switch', { name: profile.gifts }).uncheck()
      expect(await accessibilityViolations(page)).toEqual([])
      await dialog.getByRole('button', { name: profile.save }).click()
      await expect(dialog).toBeHidden()
      await expect(page.getByText(gifts.off)).toBeVisible()
      await giveToWallet(giver.page, giver.signer, [entry!.id], address)
      await page.reload()
      await expect(page.getByRole('heading', { name: gifts.noneReceived })).toBeVisible()
      await page.getByRole('button', { name: gifts.turnOn }).click()
      await expect(page.getByText(gifts.off)).toHaveCount(0)
      await expect(cards(page, gifts.waiting)).toContainText(entry!.item.name)
      await giver.page.context().close()
    })
  })
}
