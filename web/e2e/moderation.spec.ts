import type { OpenResult, User } from '../src/contract/types'
import * as en from '../src/features/admin/texts/en'
import * as zh from '../src/features/admin/texts/zh'
import { shell as shellEn } from '../src/i18n/texts/en'
import { shell as shellZh } from '../src/i18n/texts/zh'
import * as walletEn from '../src/features/wallet/texts/en'
import * as walletZh from '../src/features/wallet/texts/zh'
import { newAdminPage } from './support/admin'
import { getJson } from './support/api'
import { accessibilityViolations } from './support/axe'
import { expect, test } from './support/server'
import { newVisitor, signInWithPoints } from './support/sign-in'

test.use({ ownServer: 'moderation' })

/** Matches the label of an act on any user. */
const ofAnyone = (label: (who: string) => string) => new RegExp(`^${label('@').replace('@', '.*')}$`)

for (const [locale, t, shell, wallet, name] of [
  ['en-US', en, shellEn, walletEn, 'Rude Name'],
  ['zh-CN', zh, shellZh, walletZh, '不雅昵称'],
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
      await expect(user.getByRole('region', { name: shell.accountFrozen.label })).toContainText(
        shell.accountFrozen.title('stolen card'),
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
      await expect(who.getByText(t.users.frozen, { exact: true })).toBeHidden()
      await user.reload()
      await expect(user.getByRole('region', { name: shell.accountFrozen.label })).toBeHidden()
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
      await expect(who.getByText(t.users.lockedFor('an insult'))).toBeHidden()
      await expect(await rename()).toBeOK()
      await admin.context().close()
      await user.context().close()
    })
  })
}
