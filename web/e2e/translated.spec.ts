import type { Page } from '@playwright/test'
import {
  address as toAddress,
  getBase58Encoder,
  getPublicKeyFromAddress,
  signatureBytes,
  verifySignature,
} from '@solana/kit'
import * as en from '../src/i18n/texts/en'
import * as zh from '../src/i18n/texts/zh'
import { visits } from '../test/visits'
import { account } from '../src/features/account/texts/en'
import { passkey } from '../src/features/auth/texts/en'
import { selling, trade } from '../src/features/market/texts/en'
import { opening } from '../src/features/opening/texts/en'
import { sellBack } from '../src/features/sellback/texts/en'
import { topup } from '../src/features/wallet/texts/en'
import type { InventoryEntry } from '../src/contract/types'
import { dollars } from '../src/lib/format'
import { crash } from '../src/components/ui/texts/en'
import { expectPaid, listForSale, getJson } from './support/api'
import {
  adminDialogs,
  collectorDialogs,
  dialogFiles,
  type DialogCase,
  fillIn,
  openDialog,
  passkeyDialogs,
  visitorDialogs,
} from './support/dialogs'
import { addAuthenticator, passkeyUser } from './support/passkeys'
import { buyListing } from './support/market'
import { expect, test } from './support/server'
import { signInWithPoints, newVisitor, signIn } from './support/sign-in'
import {
  openIntro,
  expectAllStepsPassed,
  resultAction,
  skipToResults,
  startButton,
  openingDialog,
  toast,
} from './support/opening-dialog'
import { simulateTranslation } from './support/translator'

// Visits many pages.
test.describe.configure({ timeout: 300_000 })

// An admin's dialogs change the catalogue and the packs.
test.use({ ownServer: 'translated' })
test.slow()

/** React reports that it replaces a pre-rendered page because it was translated before it was hydrated. */
const replacesTranslated = 'Minified React error #418'

/** Collects the page's errors. React fails if a translation has replaced its nodes. */
function failures(page: Page): string[] {
  const found: string[] = []
  page.on('pageerror', ({ message }) => {
    if (!message.startsWith(replacesTranslated)) found.push(message)
  })
  page.on('console', (message) => {
    if (message.type() === 'error' && !message.text().startsWith('Failed to load resource')) found.push(message.text())
  })
  return found
}

const main = (page: Page) => page.getByRole('main')
const switchTo = (page: Page, t: typeof en) =>
  page.getByRole('button', { name: (t === en ? zh : en).shell.settings.toOther }).click()
const goTo = (page: Page, name: string) => page.getByRole('navigation').getByRole('link', { name, exact: true }).click()

test('on machine-translated pages, a user can sign in, top up, open, verify, sell, list and switch language', async ({
  page,
}) => {
  const failed = failures(page)
  await simulateTranslation(page)
  await signIn(page, /Demo wallet/)
  await goTo(page, en.shell.nav.topUp)
  await page.getByRole('button', { name: '100', exact: true }).click()
  await page.getByRole('button', { name: topup.demo('100') }).click()
  await expect(toast(page)).toContainText(topup.addedText('100.00'))
  await expect(page.getByRole('complementary')).toContainText('100.00')

  await openIntro(page)
  await startButton(page).click()
  await skipToResults(page)
  await resultAction(page, 'verify fairness').click()
  await expectAllStepsPassed(page.getByRole('dialog', { name: 'verify fairness' }), 1)
  await page.keyboard.press('Escape')
  await resultAction(page, opening.results.another).click()
  await startButton(page).click()
  await skipToResults(page)
  await expectPaid(page, 100, 2)
  await expect(page.locator('aside')).toContainText('50.00')

  // Sell one card back from the results, and list the other.
  await openingDialog(page).getByRole('button', { name: sellBack.sellIt }).click()
  await page
    .getByRole('dialog', { name: sellBack.title(1) })
    .getByRole('button', { name: /^Sell for/ })
    .click()
  await expect(openingDialog(page)).toContainText('Sold for')
  await openingDialog(page).getByRole('link', { name: 'view collection' }).click()
  const [{ item }] = await getJson<[InventoryEntry]>(page, '/api/inventory/me')
  const price = item.baseValueCents + 39
  await main(page)
    .getByRole('button', { name: trade.sellItem(item.name) })
    .click()
  const listing = page.getByRole('dialog', { name: trade.sell })
  await listing.getByRole('textbox', { name: selling.price }).fill(String(price / 100))
  await listing.getByRole('button', { name: selling.confirm }).click()
  await expect(main(page).getByRole('article')).toContainText(dollars(price))

  await switchTo(page, zh)
  await expect(page.getByRole('navigation').first()).toContainText(zh.shell.nav.topUp)
  await switchTo(page, en)
  // The filters first: other views than the cards don't have them.
  for (const list of [main(page).getByRole('tablist').last(), main(page).getByRole('tablist').first()]) {
    for (const tab of await list.getByRole('tab').all()) {
      await tab.click()
      await expect(tab).toHaveAttribute('aria-selected', 'true')
    }
  }
  expect(failed).toEqual([])
})

test('on a machine-translated marketplace, a card can be bought', async ({ page, browser, server }) => {
  const seller = await newVisitor(browser, server.url, 'en-US')
  await signInWithPoints(seller, 25)
  await expect(await seller.request.post('/api/packs/2/open', { data: { clientSeed: 'translated' } })).toBeOK()
  const [entry] = await getJson<[InventoryEntry]>(seller, '/api/inventory/me')
  const price = entry.item.baseValueCents + 41
  await listForSale(seller, entry.id, price)

  const failed = failures(page)
  await simulateTranslation(page)
  await signInWithPoints(page, 1000)
  const dollar = Math.floor(price / 100)
  await page.goto(`/marketplace?sortBy=price-low&minPrice=${dollar}&maxPrice=${dollar + 1}`)
  await buyListing(page, trade, price, entry.item.name)
  await expect(toast(page)).toContainText(trade.bought)
  await goTo(page, en.shell.nav.myCollection)
  await expect(main(page).getByRole('article')).toContainText(entry.item.name)
  expect(failed).toEqual([])
  await seller.context().close()
})

test('every machine-translated page can switch its language', async ({ page }) => {
  const failed = failures(page)
  await simulateTranslation(page)
  await signInWithPoints(page, 50)
  await expect(await page.request.post('/api/packs/2/open', { data: { clientSeed: 'translated' } })).toBeOK()
  for (const { at } of visits) {
    await test.step(at, async () => {
      await page.goto(at)
      await expect(main(page).getByRole('heading').first()).toBeVisible()
      await switchTo(page, zh)
      await expect(page.getByRole('navigation').first()).toContainText(zh.shell.nav.topUp)
      await switchTo(page, en)
      await expect(page.getByRole('navigation').first()).toContainText(en.shell.nav.topUp)
    })
  }
  expect(failed).toEqual([])
})

/** What requests have of a signature: base58 and Base64. */
interface SignedText {
  signature: string
  signedMessage: string
}

/** Opens every dialog, fills in its form and closes it. */
async function useAllDialogs(page: Page, stops: readonly DialogCase[]): Promise<void> {
  const failed = failures(page)
  await simulateTranslation(page)
  for (const stop of stops) {
    await test.step(stop.source, async () => {
      const { dialog } = await openDialog(page, stop)
      await (stop.use ? stop.use(page, dialog) : fillIn(dialog))
      await expect(page.getByRole('dialog', { name: crash.title })).toBeHidden()
      // The first Escape closes a toast.
      await expect(async () => {
        if (await dialog.isVisible()) await page.keyboard.press('Escape')
        await expect(dialog).toBeHidden({ timeout: 1000 })
      }).toPass()
      await expect(main(page).getByRole('heading').first()).toBeVisible()
      expect({ in: stop.source, failed }).toEqual({ in: stop.source, failed: [] })
    })
  }
}

/** Dialogs that other tests above cover. */
const testedSeparately = ['features/proofs/verify-dialog.tsx', 'features/opening/opening-dialog.tsx']

test('a visitor’s dialogs work when machine-translated', async ({ page }) => {
  await useAllDialogs(page, visitorDialogs)
})

test('a collector’s dialogs work when machine-translated', async ({ page, browser, server }) => {
  await useAllDialogs(page, await collectorDialogs(page, browser, server))
})

test('the dialogs of a passkey wallet work when machine-translated', async ({ page }) => {
  await useAllDialogs(page, await passkeyDialogs(page))
})

test('the text that a passkey signs is shown as it is, whatever a translator makes of the page', async ({ page }) => {
  const translated = { localhost: 'lokaler Wirt', Nonce: 'Einmalwert' }
  await simulateTranslation(page, translated)
  await addAuthenticator(page)
  const me = passkeyUser(page)
  const signed: SignedText[] = []
  page.on('request', (request) => {
    const data = request.postData()
    if (data?.includes('"signedMessage"')) signed.push(JSON.parse(data) as SignedText)
  })
  await page.goto('/')
  await me.openWallets()
  await me.create.click()
  await me.agree(passkey.create.title, passkey.create.confirm)
  // The translator is at work, also in this dialog.
  await me.dialog(passkey.sign.title).evaluate((dialog) => dialog.append('Nonce: localhost'))
  await expect(me.dialog(passkey.sign.title)).toContainText('Einmalwert: lokaler Wirt')
  const shown = [await me.signText()]
  const address = await me.address()
  await page.goto('/account')
  await page.getByRole('button', { name: account.data.button, exact: true }).click()
  shown.push(await me.signText())
  await expect.poll(() => signed).toHaveLength(shown.length)
  for (const [i, { signature, signedMessage }] of signed.entries()) {
    const message = Buffer.from(signedMessage, 'base64')
    expect(message.toString()).toBe(shown[i])
    expect(shown[i]).toContain('Nonce: ')
    const key = await getPublicKeyFromAddress(toAddress(address))
    const bytes = signatureBytes(getBase58Encoder().encode(signature))
    expect(await verifySignature(key, bytes, message)).toBe(true)
  }
})

test('an admin’s dialogs work when machine-translated, and no dialog is untested', async ({
  page,
  browser,
  server,
}) => {
  const admin = await adminDialogs(page, browser, server)
  const collector = await collectorDialogs(await newVisitor(browser, server.url, 'en-US'), browser, server)
  const owner = await passkeyDialogs(await newVisitor(browser, server.url, 'en-US'))
  const known = [...visitorDialogs, ...collector, ...owner, ...admin].map(({ source }) => source)
  expect([...new Set([...known, ...testedSeparately])].toSorted()).toEqual(dialogFiles())
  await useAllDialogs(page, admin)
})
