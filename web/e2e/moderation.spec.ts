import type { AdminUserPage, OpenResult, User } from '../src/contract/types'
import * as accountEn from '../src/features/account/texts/en'
import * as accountZh from '../src/features/account/texts/zh'
import * as en from '../src/features/admin/texts/en'
import * as zh from '../src/features/admin/texts/zh'
import { errors as errorsEn } from '../src/i18n/texts/en'
import { errors as errorsZh } from '../src/i18n/texts/zh'
import * as walletEn from '../src/features/wallet/texts/en'
import * as walletZh from '../src/features/wallet/texts/zh'
import { dateTime } from '../src/lib/format'
import { newAdminPage } from './support/admin'
import { getJson } from './support/api'
import { accessibilityViolations } from './support/axe'
import { expect, test } from './support/server'
import { newVisitor, signInWithPoints, signInWithWallet } from './support/sign-in'

test.use({ ownServer: 'moderation' })

/** Matches the label of an act on any user. */
const ofAnyone = (label: (who: string) => string) => new RegExp(`^${label('@').replace('@', '.*')}$`)

for (const [locale, t, wallet, { account }, errors, name, refusal] of [
  ['en-US', en, walletEn, accountEn, errorsEn, 'Rude Name', 'This account is frozen. Unfreeze it first.'],
  ['zh-CN', zh, walletZh, accountZh, errorsZh, '不雅昵称', '该账户已冻结，请先解冻。'],
] as const) {
  test.describe(locale, () => {
    test('an admin freezes a seller, takes points back, and unfreezes the account', async ({ server, browser }) => {
      const user = await newVisitor(browser, server.url, locale)
      await signInWithPoints(user, 100)
      const { id } = await getJson<User>(user, '/api/auth/user')
      const opened = await user.request.post('/api/packs/demo-pack-1/open', { data: { clientSeed: 'frozen' } })
      const [card] = ((await opened.json()) as OpenResult).items
      const listing = { inventoryId: card?.inventoryId, priceCents: 900, confirmedCents: 900 }
      await expect(await user.request.post('/api/marketplace/list', { data: listing })).toBeOK()

      const admin = await newAdminPage(browser, server, locale)
      await admin.goto(`/admin/users/${id}`)
      const who = admin.getByRole('main')
      await who.getByRole('button', { name: ofAnyone(t.users.freezeOf) }).click()
      const dialog = admin.getByRole('dialog')
      await dialog.getByLabel(t.users.reason).fill('stolen card')
      expect(await accessibilityViolations(admin)).toEqual([])
      await dialog.getByRole('button', { name: t.users.freeze, exact: true }).click()
      await expect(who.getByText(t.users.frozen, { exact: true })).toBeVisible()

      await user.goto('/balance')
      await expect(user.getByRole('region', { name: account.frozen.label })).toContainText(
        account.frozen.title('stolen card'),
      )
      expect(await accessibilityViolations(user)).toEqual([])
      const refused = await user.request.post('/api/marketplace/list', { data: listing })
      expect(((await refused.json()) as { code: string }).code).toBe('account_frozen')

      await who.getByRole('button', { name: ofAnyone(t.users.debitOf) }).click()
      await dialog.getByLabel(t.users.amount).fill('80')
      await dialog.getByLabel(t.users.reason).fill('wrong credit')
      await dialog.getByRole('button', { name: t.users.debit, exact: true }).click()
      await expect(admin.getByText(t.users.taken('75.00', 500, '5.00'), { exact: true })).toBeVisible()
      await user.reload()
      await expect(user.getByText(wallet.balance.reason('wrong credit'))).toBeVisible()

      await who.getByRole('button', { name: ofAnyone(t.users.unfreezeOf) }).click()
      await dialog.getByLabel(t.users.reason).fill('a mistake')
      await dialog.getByRole('button', { name: t.users.unfreeze, exact: true }).click()
      await expect(dialog).toBeHidden()
      await expect(who.getByText(t.users.frozen, { exact: true })).toBeHidden()
      await user.reload()
      await expect(user.getByRole('region', { name: account.frozen.label })).toBeHidden()
      await expect(await user.request.post('/api/marketplace/list', { data: listing })).toBeOK()
      await admin.context().close()
      await user.context().close()
    })

    test('a hidden name and picture stay locked until an admin unlocks them', async ({ server, browser }) => {
      const user = await newVisitor(browser, server.url, locale)
      await signInWithPoints(user, 1)
      const { id } = await getJson<User>(user, '/api/auth/user')
      const rename = () => user.request.patch('/api/auth/user', { data: { firstName: name } })
      await expect(await rename()).toBeOK()

      const admin = await newAdminPage(browser, server, locale)
      await admin.goto(`/admin/users/${id}`)
      const who = admin.getByRole('main')
      const dialog = admin.getByRole('dialog')
      await who.getByRole('button', { name: ofAnyone(t.users.hideProfileOf) }).click()
      await dialog.getByLabel(t.users.reason).fill('an insult')
      await dialog.getByRole('button', { name: t.users.hideProfile, exact: true }).click()
      await expect(who.getByText(t.users.lockedFor('an insult'))).toBeVisible()
      await expect(who.getByText(name)).toBeHidden()
      expect((await rename()).status()).toBe(403)
      expect((await getJson<User>(user, '/api/auth/user')).firstName).toBe('')

      await who.getByRole('button', { name: ofAnyone(t.users.unlockProfileOf) }).click()
      await dialog.getByLabel(t.users.reason).fill('apologized')
      await dialog.getByRole('button', { name: t.users.unlockProfile, exact: true }).click()
      await expect(dialog).toBeHidden() // until then, the page behind it has no main for assistive technology
      await expect(who.getByText(t.users.lockedFor('an insult'))).toBeHidden()
      await expect(await rename()).toBeOK()
      await admin.context().close()
      await user.context().close()
    })

    test('an admin hides a user’s pages and removes the handle', async ({ server, browser }) => {
      const handle = locale === 'en-US' ? 'rude-one' : 'rude-two'
      const user = await newVisitor(browser, server.url, locale)
      await signInWithPoints(user, 50)
      const { id } = await getJson<User>(user, '/api/auth/user')
      await expect(await user.request.post('/api/packs/demo-pack-1/open', { data: { clientSeed: 'handle' } })).toBeOK()
      await expect(await user.request.patch('/api/auth/user', { data: { handle, public: true } })).toBeOK()

      const admin = await newAdminPage(browser, server, locale)
      await admin.goto(`/admin/users/${id}`)
      const who = admin.getByRole('main')
      const dialog = admin.getByRole('dialog')
      const act = async (label: (who: string) => string, confirm: string) => {
        await who.getByRole('button', { name: ofAnyone(label) }).click()
        await dialog.getByLabel(t.users.reason).fill('an insult')
        await dialog.getByRole('button', { name: confirm, exact: true }).click()
      }
      await act(t.users.hidePagesOf, t.users.hidePages)
      await expect(who.getByText(t.users.pagesHidden, { exact: true })).toBeVisible()
      expect((await getJson<User>(user, '/api/auth/user')).pagesHidden).toBe(true)
      await act(t.users.showPagesOf, t.users.showPages)
      await expect(dialog).toBeHidden()
      await expect(who.getByText(t.users.pagesHidden, { exact: true })).toBeHidden()
      await expect(who.getByText(`@${handle}`)).toBeVisible()
      await act(t.users.removeHandleOf, t.users.removeHandle)
      await expect(dialog).toBeHidden()
      await expect(who.getByText(`@${handle}`)).toBeHidden()
      const after = await getJson<User>(user, '/api/auth/user')
      expect([after.handle, after.public, after.pagesHidden]).toEqual(['', false, false])
      await admin.context().close()
      await user.context().close()
    })

    test('a second admin sees whom a request is about, and what an approved debit couldn’t recover', async ({
      server,
      browser,
    }) => {
      const user = await newVisitor(browser, server.url, locale)
      await signInWithPoints(user, 30)
      await expect(await user.request.patch('/api/auth/user', { data: { firstName: name } })).toBeOK()
      const { id, walletAddress } = await getJson<User>(user, '/api/auth/user')
      const [admin, second] = [
        await newAdminPage(browser, server, locale),
        await newAdminPage(browser, server, locale),
      ] as const
      const act = async (path: string, data: object) =>
        expect(await admin.request.post(`/api/admin/users/${id}/${path}`, { data })).toBeOK()
      await act('role', { role: 'admin', reason: 'joined us' })
      await act('freeze', { reason: 'stolen card' })

      // One debit waits. Another amount isn't the same request.
      await admin.goto(`/admin/users/${id}`)
      const dialog = admin.getByRole('dialog')
      for (const [amount, outcome] of [
        ['700', t.admin.waitsForSecond],
        ['800', errors.request_waiting],
      ] as const) {
        await admin
          .getByRole('main')
          .getByRole('button', { name: ofAnyone(t.users.debitOf) })
          .click()
        await dialog.getByLabel(t.users.amount).fill(amount)
        await dialog.getByLabel(t.users.reason).fill('wrong credit')
        await dialog.getByRole('button', { name: t.users.debit, exact: true }).click()
        await expect(admin.getByText(outcome, { exact: true })).toBeVisible()
      }

      await second.goto('/admin?tab=approvals')
      const decision = second.getByRole('dialog')
      const approve = async (kind: string) => {
        await second
          .getByRole('article')
          .filter({ hasText: id })
          .getByRole('button', { name: t.approvals.approveOf(kind) })
          .click()
        await expect(decision).toContainText(name)
        await expect(decision).toContainText(walletAddress)
        await expect(decision).toContainText(t.users.frozen)
        expect(await accessibilityViolations(second)).toEqual([])
      }
      const confirm = async () => {
        await decision.getByRole('textbox', { name: t.approvals.reason }).fill('I agree.')
        await decision.getByRole('button', { name: t.approvals.approve }).click()
      }
      await approve(t.approvals.kinds.promote)
      await confirm()
      await expect(second.getByText(refusal, { exact: true })).toBeVisible()
      await decision.getByRole('button', { name: t.admin.cancel }).click()

      await approve(t.approvals.kinds.debit)
      await expect(decision).toContainText(t.approvals.approveDebitText('700.00', '30.00'))
      await confirm()
      await expect(second.getByText(t.users.taken('30.00', 670_00, '670.00'), { exact: true })).toBeVisible()
      await second.getByRole('combobox', { name: t.list.status }).selectOption('approved')
      const approved = second.getByRole('article').filter({ hasText: id })
      await expect(approved).toContainText(t.approvals.missing)
      await expect(approved).toContainText('670.00')

      // The command that made them admins is named in the admin log.
      await second.goto('/admin?tab=trail')
      await second.getByRole('combobox', { name: t.log.act }).selectOption('set-role')
      await second.getByRole('button', { name: t.list.search, exact: true }).click()
      await expect(second.getByText(t.log.byCommand('kaibao admin grant')).first()).toBeVisible()
      for (const page of [user, admin, second]) await page.context().close()
    })

    test('admins see when an account will be deleted, and can do nothing once it is', async ({ server, browser }) => {
      const user = await newVisitor(browser, server.url, locale)
      await signInWithWallet(user, 1)
      const { id } = await getJson<User>(user, '/api/auth/user')
      await user.goto('/account')
      await user.getByRole('main').getByRole('button', { name: account.deletion.button }).click()
      await user.getByRole('dialog').getByRole('button', { name: account.deletion.confirm }).click()
      await expect(user.getByText(account.deletion.done, { exact: true })).toBeVisible()

      const admin = await newAdminPage(browser, server, locale)
      await admin.goto(`/admin/users/${id}`)
      const { deletion } = await getJson<AdminUserPage>(admin, `/api/admin/users/${id}`)
      const due = deletion?.dueAt ?? ''
      const dueText = dateTime(due, locale === 'en-US' ? 'en' : 'zh')
      await expect(admin.getByText(t.users.deletion(dueText), { exact: true })).toBeVisible()
      expect(await accessibilityViolations(admin)).toEqual([])

      // Two weeks later: the answers are changed, because journeys can't change the server's clock.
      let change: object = { deletion: { ...deletion, waitsFor: 'shipment' } }
      await admin.route(`**/api/admin/users/${id}`, async (route) => {
        const response = await route.fetch()
        await route.fulfill({ response, json: { ...((await response.json()) as object), ...change } })
      })
      await admin.reload()
      await expect(
        admin.getByText(t.users.deletion(dueText, t.users.deletionWaitsFor.shipment), { exact: true }),
      ).toBeVisible()
      await expect(admin.getByRole('button', { name: ofAnyone(t.users.creditOf) })).toBeVisible()
      change = { deletion: undefined, frozen: true, deletedAt: due }
      await admin.reload()
      await expect(admin.getByText(t.users.deletedOn(dueText), { exact: true })).toBeVisible()
      await expect(admin.getByText(t.users.frozen, { exact: true })).toBeHidden()
      for (const label of [t.users.creditOf, t.users.promoteOf, t.users.unfreezeOf, t.users.debitOf, t.users.signOutOf])
        await expect(admin.getByRole('button', { name: ofAnyone(label) })).toBeHidden()
      expect(await accessibilityViolations(admin)).toEqual([])
      for (const page of [user, admin]) await page.context().close()
    })
  })
}
