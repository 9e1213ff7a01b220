import type { Browser, Locator, Page } from '@playwright/test'
import { readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { account } from '../../src/features/account/texts/en'
import { commandPalette } from '../../src/app/command-palette/texts/en'
import * as t from '../../src/i18n/texts/en'
import { alerts } from '../../src/features/alerts/texts/en'
import { passkey } from '../../src/features/auth/texts/en'
import { bids } from '../../src/features/bids/texts/en'
import { give, gifts } from '../../src/features/gifts/texts/en'
import { pack as storeTexts } from '../../src/features/store/texts/en'
import { flow as claim } from '../../src/features/redemptions/texts/en'
import { opens } from '../../src/features/inventory/texts/en'
import { limits } from '../../src/features/limits/texts/en'
import { cart, market, trade } from '../../src/features/market/texts/en'
import { demo } from '../../src/features/opening/texts/en'
import {
  approvals,
  claims as adminClaims,
  deposits as adminDeposits,
  editing,
  admin as operate,
  importing,
  list as adminList,
  users as adminUsers,
} from '../../src/features/admin/texts/en'
import { sellBack } from '../../src/features/sellback/texts/en'
import { share } from '../../src/features/pulls/texts/en'
import { settings as profileSettings, showcase } from '../../src/features/profiles/texts/en'
import { payment, topup } from '../../src/features/wallet/texts/en'
import type { CardSet, Deposit, InventoryEntry } from '../../src/contract/types'
import { points } from '../../src/lib/format'
import { giveToWallet, listForSale, getJson, sendToVault } from './api'
import { addAuthenticator, passkeyUser } from './passkeys'
import { expect, makeAdmin, type Server } from './server'
import { signInWithPoints, signInWithWallet, newVisitor } from './sign-in'

/** A dialog and how to open it. */
export interface DialogCase {
  /** File of its component, relative to src. */
  source: string
  at: string
  /** Prepares the page so that it has the opener. */
  before?: (page: Page) => Promise<unknown>
  /** The control that opens it and gets the focus back. */
  opener: (page: Page) => Locator
  /** How to open it, if not by pressing the opener. */
  open?: (page: Page, opener: Locator) => Promise<unknown>
  /** What to do in it, if not filling in its form. */
  use?: (page: Page, dialog: Locator) => Promise<unknown>
}

const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name, exact: true }).first()

/** Goes to the page of a dialog and opens it by keyboard. */
export async function openDialog(page: Page, stop: DialogCase): Promise<{ opener: Locator; dialog: Locator }> {
  await page.goto(stop.at)
  await stop.before?.(page)
  const opener = stop.opener(page)
  await expect(opener).toBeEnabled()
  await (stop.open ? stop.open(page, opener) : opener.press('Enter'))
  const dialog = page.getByRole('dialog')
  await expect(dialog).toBeVisible()
  return { opener, dialog }
}

export const visitorDialogs: DialogCase[] = [
  {
    source: 'features/auth/connect-dialog.tsx',
    at: '/',
    opener: (page) => page.getByRole('complementary').getByRole('button', { name: t.shell.user.connectWallet }),
    use: (_, dialog) => dialog.hover(),
  },
  {
    source: 'features/auth/connect-dialog.tsx',
    at: '/',
    before: (page) => addAuthenticator(page),
    opener: (page) => page.getByRole('complementary').getByRole('button', { name: t.shell.user.connectWallet }),
    open: async (page, opener) => {
      await opener.press('Enter')
      await page.getByRole('dialog').getByRole('button', { name: t.identity.createPasskey }).press('Enter')
      await expect(page.getByRole('dialog', { name: passkey.create.title })).toBeVisible()
    },
    use: async (page) => {
      await page.getByRole('button', { name: passkey.create.confirm }).click()
      await expect(page.getByRole('dialog', { name: passkey.sign.title })).toBeVisible()
    },
  },
  {
    source: 'features/opening/demo/demo-dialog.tsx',
    at: '/pack/2',
    opener: (page) => button(page, storeTexts.demoRip),
    use: async (_, dialog) => {
      await dialog.getByRole('button', { name: demo.rip }).click()
      await expect(dialog.getByText(demo.note)).toBeVisible()
      await dialog.getByRole('button', { name: demo.enlarge }).click()
      await dialog.getByRole('button', { name: demo.shrink }).click()
    },
  },
  {
    source: 'components/enlarged.tsx',
    at: '/pack/2',
    opener: (page) => page.getByRole('button', { name: /^Enlarge / }).first(),
    use: (_, dialog) => dialog.hover(),
  },
  {
    source: 'app/command-palette/command-palette-dialog.tsx',
    at: '/open-packs',
    opener: (page) => page.getByRole('link', { name: t.shell.nav.topUp }).first(),
    open: async (page, opener) => {
      // Keys that are pressed before the page is hydrated are lost.
      await expect(async () => {
        await opener.focus()
        await page.keyboard.press('ControlOrMeta+k')
        await expect(page.getByRole('dialog')).toBeVisible({ timeout: 3000 })
      }).toPass()
    },
    use: async (page, dialog) => {
      const field = dialog.getByRole('combobox')
      await field.fill('charizard')
      await expect(dialog.getByRole('option', { name: /Charizard/ }).first()).toBeVisible()
      await field.fill('nosuchthing')
      await expect(dialog.getByText(commandPalette.nothing('nosuchthing'))).toBeVisible()
      await field.fill('')
      await expect(dialog.getByRole('option').first()).toBeVisible()
      await page.keyboard.press('ArrowDown')
    },
  },
]

/** The dialogs of a passkey wallet's owner. */
export async function passkeyDialogs(page: Page): Promise<DialogCase[]> {
  await addAuthenticator(page)
  await page.goto('/')
  await passkeyUser(page).createWallet()
  return [
    {
      source: 'features/auth/passkey/passkey-dialog.tsx',
      at: '/account',
      opener: (shown) => button(shown, account.data.button),
      use: async (shown, dialog) => {
        const download = shown.waitForEvent('download')
        await dialog.getByRole('button', { name: passkey.sign.confirm }).click()
        await download
      },
    },
    {
      source: 'features/auth/passkey/export-dialog.tsx',
      at: '/account',
      opener: (shown) => button(shown, passkey.export.button),
      use: async (_, dialog) => {
        await dialog.getByRole('button', { name: passkey.export.confirm }).click()
        await expect(dialog.locator('code')).toBeVisible()
      },
    },
  ]
}

/**
 * The dialogs of a user with a pack's cards, one of them listed and one with a bid. Another user has a listing. The
 * dialog of the account's deletion comes before the payment, which would prevent it, and the one that ends trading
 * last.
 */
export async function collectorDialogs(page: Page, browser: Browser, { url }: Server): Promise<DialogCase[]> {
  const other = await newVisitor(browser, url, 'en-US')
  const giver = await signInWithPoints(other, 100)
  for (const clientSeed of ['other', 'given']) {
    await expect(await other.request.post('/api/packs/2/open', { data: { clientSeed } })).toBeOK()
  }
  const [given, offered] = await getJson<[InventoryEntry, InventoryEntry]>(other, '/api/inventory/me')
  await listForSale(other, offered.id, offered.item.baseValueCents + 47)

  const { address } = await signInWithPoints(page, 200)
  await giveToWallet(other, giver, [given.id], address)
  await expect(await page.request.post('/api/packs/demo-pack-1/open', { data: { clientSeed: 'mine' } })).toBeOK()
  const [held, listed, wanted] = await getJson<[InventoryEntry, InventoryEntry, InventoryEntry]>(
    page,
    '/api/inventory/me',
  )
  await listForSale(page, listed.id, 4321)
  const handle = `c-${address.slice(0, 12).toLowerCase()}`
  await expect(await page.request.patch('/api/auth/user', { data: { handle } })).toBeOK()
  const bid = { scope: { inventoryId: wanted.id }, priceCents: 60 }
  await expect(await other.request.post('/api/bids', { data: bid })).toBeOK()
  await other.context().close()
  await expect(await page.request.put('/api/limits', { data: { realityMinutes: 15 } })).toBeOK()
  const item = `/item/${offered.item.id}`
  const sets = await getJson<CardSet[]>(page, '/api/sets?limit=200')
  const [small] = sets.filter(({ cardCount }) => cardCount > 2).toSorted((a, b) => a.cardCount - b.cardCount)
  const { table, stop } = limits

  return [
    {
      source: 'features/auth/profile-dialog.tsx',
      at: '/',
      opener: (shown) => shown.getByRole('button', { name: t.shell.user.profile }),
    },
    {
      source: 'features/pulls/share-dialog.tsx',
      at: '/my-opens',
      opener: (shown) => shown.getByRole('button', { name: opens.share }).first(),
      use: async (_, dialog) => {
        await dialog.getByRole('switch', { name: share.on }).press('Space')
        await expect(dialog.getByText(share.after)).toBeVisible()
        await dialog.getByRole('switch', { name: share.on }).press('Space')
        await expect(dialog.getByText(share.before)).toBeVisible()
      },
    },
    {
      source: 'features/profiles/card-picker.tsx',
      at: '/account',
      opener: (shown) => button(shown, showcase.add),
      use: async (_, dialog) => {
        await dialog.getByRole('button', { pressed: false }).first().click()
        await expect(dialog.getByText(showcase.pickText(1, 12))).toBeVisible()
      },
    },
    {
      source: 'features/profiles/give-up-dialog.tsx',
      at: '/account',
      opener: (shown) => button(shown, profileSettings.giveUp),
      use: (_, dialog) => dialog.hover(),
    },
    {
      source: 'features/market/list-dialog.tsx',
      at: '/my-collection',
      opener: (shown) => button(shown, trade.sellItem(held.item.name)),
    },
    {
      source: 'features/gifts/give-dialog.tsx',
      at: '/my-collection',
      opener: (shown) => button(shown, sellBack.giveItem(held.item.name)),
      use: async (_, dialog) => {
        await dialog.getByRole('radio', { name: give.toWallet }).check()
        await dialog.getByRole('button', { name: give.next }).click()
        await expect(dialog.getByText(give.addressInvalid)).toBeVisible()
        await dialog.getByRole('textbox', { name: give.address }).fill(giver.address)
        await dialog.getByRole('button', { name: give.next }).click()
        await expect(dialog.getByText(give.reviewText)).toBeVisible()
      },
    },
    {
      source: 'features/gifts/refuse-dialog.tsx',
      at: '/gifts',
      opener: (shown) => button(shown, gifts.refuse),
    },
    {
      source: 'features/sellback/quick-sell-dialog.tsx',
      at: '/my-collection',
      opener: (shown) => shown.getByRole('button', { name: /^Quick sell/ }).last(),
      use: async (_, dialog) => {
        await dialog.getByRole('button', { name: /^Sell for/ }).click()
        await expect(dialog).toBeHidden()
      },
    },
    {
      source: 'features/market/bulk/bulk-dialog.tsx',
      at: '/my-collection',
      before: async (shown) => {
        await button(shown, sellBack.select).click()
        await button(shown, sellBack.all).click()
      },
      opener: (shown) => shown.getByRole('region', { name: sellBack.bar }).getByRole('button', { name: /^List \d/ }),
    },
    {
      source: 'features/market/my-listings.tsx',
      at: '/marketplace',
      opener: (shown) => button(shown, market.market.manage),
      use: async (_, dialog) => {
        await dialog
          .getByRole('button', { name: /^Change price/ })
          .first()
          .click()
        await fillIn(dialog)
      },
    },
    {
      source: 'features/market/cart/cart-dialog.tsx',
      at: item,
      before: (shown) => button(shown, cart.add(offered.item.name)).click(),
      opener: (shown) => button(shown, cart.open(1)),
      use: async (_, dialog) => {
        await dialog.getByRole('button', { name: cart.removeItem(offered.item.name) }).click()
        await expect(dialog).toContainText(cart.empty)
      },
    },
    {
      source: 'features/alerts/watch-dialog.tsx',
      at: item,
      opener: (shown) => button(shown, alerts.watch.watch),
    },
    {
      source: 'features/alerts/save-dialog.tsx',
      at: '/marketplace?series=pokemon',
      opener: (shown) => button(shown, alerts.searches.save),
    },
    {
      source: 'features/bids/bid-dialog.tsx',
      at: item,
      opener: (shown) =>
        shown.getByRole('region', { name: bids.book.title }).getByRole('button', { name: bids.bid }).first(),
    },
    {
      source: 'features/bids/bid-dialog.tsx',
      at: '/marketplace?certification=PSA',
      opener: (shown) => button(shown, bids.criteria.button),
    },
    {
      source: 'features/bids/bid-on-many-dialog.tsx',
      at: `/sets/${small!.id}`,
      opener: (shown) => button(shown, /^Bid on \d+ items$/),
      use: async (_, dialog) => {
        const price = dialog.getByRole('textbox').first()
        await price.fill('0.52')
        await expect(price).toHaveAttribute('aria-invalid', 'true')
        await price.fill('1')
        await expect(price).toHaveAttribute('aria-invalid', 'false')
      },
    },
    {
      source: 'features/bids/counter-dialog.tsx',
      at: `/entry/${wanted.id}`,
      opener: (shown) => button(shown, bids.own.counterTo('$0.60')),
    },
    {
      source: 'features/bids/accept-dialog.tsx',
      at: `/entry/${wanted.id}`,
      opener: (shown) => button(shown, bids.own.sell('$0.59')),
      use: async (_, dialog) => {
        await expect(dialog.getByRole('alert')).not.toBeEmpty()
        await dialog.hover()
      },
    },
    {
      source: 'features/account/deletion.tsx',
      at: '/account',
      opener: (shown) => shown.getByRole('main').getByRole('button', { name: account.deletion.button }),
    },
    {
      source: 'features/wallet/payment/payment-dialog.tsx',
      at: '/topup',
      before: (shown) => button(shown, '25').click(),
      opener: (shown) => button(shown, topup.submit('25')),
      use: async (shown, dialog) => {
        await shown.frameLocator('iframe').getByRole('button', { name: 'Pay', exact: true }).click()
        await dialog.getByRole('button', { name: payment.verify }).click()
        await expect(dialog).toBeHidden()
      },
    },
    {
      source: 'features/limits/limit-dialog.tsx',
      at: '/limits',
      opener: (shown) => button(shown, table.changeOf(table.loss, table.spans.day)),
    },
    {
      source: 'features/limits/reality-check.tsx',
      at: '/limits',
      before: async (shown) => {
        // Ten seconds before the reality check is due.
        await shown.evaluate(() => sessionStorage.setItem('kaibao-here-since', String(Date.now() - 890_000)))
        await shown.reload()
      },
      opener: (shown) => shown.getByRole('link', { name: t.shell.nav.topUp }).first(),
      open: (_, opener) => opener.focus(),
      use: (_, dialog) => dialog.getByRole('button', { name: limits.reality.goOn }).click(),
    },
    {
      source: 'features/limits/take-break.tsx',
      at: '/limits',
      opener: (shown) => button(shown, stop.beginTimeOut),
      use: async (_, dialog) => {
        await dialog.getByRole('button', { name: stop.beginTimeOut }).click()
        await expect(dialog).toBeHidden()
      },
    },
  ]
}

/** Signs in a user with a paid top-up and a claim. */
async function signInAsCustomer(page: Page): Promise<void> {
  await signInWithWallet(page, 200)
  await expect(await page.request.post('/api/packs/demo-pack-1/open', { data: { clientSeed: 'claimed' } })).toBeOK()
  const [entry] = await getJson<[InventoryEntry]>(page, '/api/inventory/me')
  await sendToVault(page, entry.id)
  await page.goto(`/claim?items=${encodeURIComponent(JSON.stringify([entry.id]))}`)
  await button(page, claim.next).click()
  await page.getByRole('combobox', { name: claim.country }).selectOption('HK')
  await page.getByRole('textbox', { name: claim.fields.name }).fill('Ann Collector')
  await page.getByRole('textbox', { name: claim.fields.line1 }).fill('1 Peking Road')
  await page.getByRole('combobox', { name: claim.kinds.Area, exact: true }).selectOption('Kowloon')
  await button(page, claim.next).click()
  await button(page, claim.sign(points(900))).click()
  await expect(page).toHaveURL(/\/claims$/)
  await page.goto('/topup')
  await button(page, '25').click()
  await button(page, topup.submit('25')).click()
  await page.frameLocator('iframe').getByRole('button', { name: 'Pay', exact: true }).click()
  await button(page, payment.verify).click()
  await expect(page.getByRole('dialog')).toBeHidden()
  expect(await getJson<Deposit[]>(page, '/api/wallet/deposits')).toMatchObject([{ state: 'credited' }])
}

const currentUser = (page: Page) => getJson<{ id: string; walletAddress: string }>(page, '/api/auth/user')

/** The dialogs of an admin, with a customer and a request that awaits a second admin's approval. */
export async function adminDialogs(page: Page, browser: Browser, server: Server): Promise<DialogCase[]> {
  const customer = await newVisitor(browser, server.url, 'en-US')
  await signInAsCustomer(customer)
  const { id, walletAddress } = await currentUser(customer)
  await customer.context().close()
  const colleague = await newVisitor(browser, server.url, 'en-US')
  await signInWithPoints(colleague, 1)
  await makeAdmin(server, (await currentUser(colleague)).walletAddress)
  const asked = { role: 'admin', reason: 'joined us' }
  await expect(await colleague.request.post(`/api/admin/users/${id}/role`, { data: asked })).toBeOK()
  await colleague.context().close()
  await signInWithPoints(page, 1)
  await makeAdmin(server, (await currentUser(page)).walletAddress)

  const name = `${walletAddress.slice(0, 6)}...${walletAddress.slice(-4)}`
  const find = async (shown: Page) => {
    await shown.getByRole('searchbox', { name: adminUsers.search }).fill(walletAddress)
    await button(shown, adminList.search).click()
    await expect(shown.getByRole('article')).toHaveCount(1)
  }
  return [
    { source: 'features/admin/create-item.tsx', at: '/admin', opener: (shown) => button(shown, operate.createItem) },
    {
      source: 'features/admin/edit-item.tsx',
      at: '/admin',
      opener: (shown) => shown.getByRole('button', { name: /^Edit / }).first(),
    },
    {
      source: 'features/admin/import/import-dialog.tsx',
      at: '/admin?tab=items',
      opener: (shown) => button(shown, importing.open),
      use: async (_, dialog) => {
        const rows = 'translated-1,2026 Ann PSA 9,Spring,Rare,40\ntranslated-2,$45.00,Spring,Rare,45\n'
        for (const text of ['id,price\n', `id,name,series,rarity,baseValueCents\n${rows}`]) {
          const file = { name: 'spring.csv', mimeType: 'text/csv', buffer: Buffer.from(text) }
          await dialog.locator('input[type=file]').setInputFiles(file)
        }
        await dialog.getByRole('checkbox', { name: importing.skipBad(1) }).check()
        await dialog.getByRole('button', { name: importing.import(1) }).click()
        await expect(dialog.getByRole('status').filter({ hasText: importing.done(1) })).toBeVisible()
      },
    },
    {
      source: 'features/admin/pack-editor.tsx',
      at: '/admin?tab=packs',
      opener: (shown) => button(shown, operate.createPack),
    },
    {
      source: 'features/admin/pack-editor.tsx',
      at: '/admin?tab=packs',
      opener: (shown) => button(shown, editing.editOf('Soccer')),
    },
    {
      source: 'features/admin/fees-dialog.tsx',
      at: '/admin?tab=settings',
      opener: (shown) => button(shown, operate.settings.changeFees),
    },
    {
      source: 'features/admin/points-dialog.tsx',
      at: '/admin?tab=users',
      before: find,
      opener: (shown) => button(shown, adminUsers.creditOf(name)),
    },
    {
      source: 'features/admin/user-dialog.tsx',
      at: '/admin?tab=users',
      before: find,
      opener: (shown) => button(shown, adminUsers.signOutOf(name)),
    },
    {
      source: 'features/admin/points-dialog.tsx',
      at: `/admin/users/${id}`,
      opener: (shown) => button(shown, adminUsers.debitOf(name)),
    },
    {
      source: 'features/admin/approvals/decide-dialog.tsx',
      at: '/admin?tab=approvals',
      opener: (shown) => button(shown, approvals.refuseOf(approvals.kinds.promote)),
    },
    {
      source: 'features/admin/claims/step-dialog.tsx',
      at: '/admin?tab=claims',
      before: (shown) => shown.getByRole('checkbox', { name: adminClaims.selectAll }).check(),
      opener: (shown) => button(shown, adminClaims.acts.cancel),
    },
    {
      source: 'features/admin/resolve-dialog.tsx',
      at: '/admin?tab=deposits',
      before: (shown) => shown.getByRole('combobox', { name: adminList.status }).selectOption('credited'),
      opener: (shown) => button(shown, adminDeposits.resolveOf('$25.00')),
    },
  ]
}

/** Submits a dialog's form, first empty and then filled in. */
export async function fillIn(dialog: Locator): Promise<void> {
  // The first submission may close the dialog.
  const unlessClosed = (act: Promise<unknown>) => act.catch(() => {})
  const options = { timeout: 1000 }
  for (const text of ['', '1']) {
    for (const field of await dialog.getByRole('textbox').all()) await unlessClosed(field.fill(text, options))
    for (const list of await dialog.getByRole('combobox').all()) {
      for (const index of [0, 1]) await unlessClosed(list.selectOption({ index }, options))
    }
    for (const box of await dialog.getByRole('checkbox').all()) await unlessClosed(box.click(options))
    for (const choice of await dialog.getByRole('radio').all()) await unlessClosed(choice.check(options))
    await unlessClosed(dialog.locator('button[type=submit]').last().click(options))
  }
}

const src = fileURLToPath(new URL('../../src', import.meta.url))

/** All files in src with a component that renders a dialog. */
export function dialogFiles(): string[] {
  const files = readdirSync(src, { recursive: true, encoding: 'utf8' }).filter((file) => /(?<!\.test)\.tsx$/.test(file))
  const rendersDialog = (file: string) =>
    /<((Form)?Dialog|BidDialogFrame)[\s>]/.test(readFileSync(join(src, file), 'utf8'))
  const wrappers = ['components/ui/dialog.tsx', 'features/admin/form-dialog.tsx', 'features/bids/bid-dialog-frame.tsx']
  return files
    .map((file) => relative(src, join(src, file)))
    .filter((file) => rendersDialog(file) && !wrappers.includes(file))
    .toSorted()
}
