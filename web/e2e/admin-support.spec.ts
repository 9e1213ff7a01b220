import * as depositEn from '../src/components/deposit/texts/en'
import * as depositZh from '../src/components/deposit/texts/zh'
import type { AdminAct, DepositLife, OpenResult, User } from '../src/contract/types'
import * as en from '../src/features/admin/texts/en'
import * as zh from '../src/features/admin/texts/zh'
import { newAdminPage } from './support/admin'
import { getJson } from './support/api'
import { accessibilityViolations } from './support/axe'
import { expect, test } from './support/server'
import { signInWithPoints } from './support/sign-in'

test.use({ ownServer: 'admin-support' })

for (const [locale, t, deposit] of [
  ['en-US', en, depositEn.deposits.states],
  ['zh-CN', zh, depositZh.deposits.states],
] as const) {
  test.describe(locale, () => {
    test('where is my payment? The id of a deposit leads to its status', async ({ page, server, browser }) => {
      await signInWithPoints(page, 10)
      const user = await getJson<User>(page, '/api/auth/user')
      const quoted = await page.request.post('/api/wallet/deposits', { data: { amountCents: 1234 } })
      const { depositId } = (await quoted.json()) as DepositLife
      await expect(await page.request.post('/api/wallet/deposits', { data: { amountCents: 4321 } })).toBeOK()

      const admin = await newAdminPage(browser, server, locale)
      await admin.goto('/admin')
      await admin.getByRole('searchbox', { name: t.search.label }).fill(depositId)
      await admin.keyboard.press('Enter')
      await expect(admin).toHaveURL(new RegExp(`/admin/users/${user.id}\\?tab=deposits&id=${depositId}$`))
      const found = admin.getByRole('list', { name: t.deposits.list }).getByRole('article')
      await expect(found).toHaveCount(1)
      await expect(found).toContainText('$12.34')
      await expect(found).toContainText(deposit.quoted)
      expect(await accessibilityViolations(admin)).toEqual([])
      await admin.getByRole('button', { name: t.list.showAll }).click()
      await expect(found).toHaveCount(2)

      await admin.getByRole('tab', { name: t.user.tab.notes }).click()
      await admin.getByRole('textbox', { name: t.user.notes.add }).fill('Asked for $12.34.')
      await admin.getByRole('button', { name: t.user.notes.save }).click()
      await expect(admin.getByRole('list', { name: t.user.tab.notes })).toContainText('Asked for $12.34.')
      expect(await accessibilityViolations(admin)).toEqual([])

      // One view and one note: the lists of a page aren't logged.
      const log = await getJson<AdminAct[]>(admin, `/api/admin/audit?user=${user.id}`)
      expect(log.map(({ act }) => act)).toEqual(['add-note', 'view-user'])
      await admin.getByRole('tab', { name: t.user.tab.log }).click()
      await expect(admin.getByRole('list', { name: t.log.list })).toContainText(t.log.acts['view-user'])
      await admin.context().close()
    })

    test('where is my pull? The id of an open, a wallet or a name leads to the card', async ({
      page,
      server,
      browser,
    }) => {
      await signInWithPoints(page, 100)
      const user = await getJson<User>(page, '/api/auth/user')
      const firstName = locale === 'en-US' ? 'Pull Asker' : '抽卡人'
      await expect(await page.request.patch('/api/auth/user', { data: { firstName } })).toBeOK()
      const opened = await page.request.post('/api/packs/demo-pack-1/open', { data: { clientSeed: 'pull' } })
      const { openId, items } = (await opened.json()) as OpenResult
      const [gone, kept] = items
      if (!gone || !kept) throw new Error('the pack has too few cards')
      const sold = { inventoryIds: [gone.inventoryId] }
      await expect(await page.request.post('/api/inventory/sell-back', { data: sold })).toBeOK()

      // The pull history shows the id to send to support.
      await page.goto('/my-opens')
      await expect(page.getByRole('main').getByText(openId, { exact: true })).toBeVisible()

      const admin = await newAdminPage(browser, server, locale)
      await admin.goto('/admin')
      const field = admin.getByRole('searchbox', { name: t.search.label })
      await field.fill(`“${server.url}/verify/${openId}”`)
      await field.press('Enter')
      const open = admin.getByRole('list', { name: t.user.tab.opens }).getByRole('article')
      await expect(open).toHaveCount(1)
      await expect(open.getByText(openId, { exact: true })).toBeVisible()
      await expect(open.getByRole('button', { name: `${t.user.copy.copy}: ${t.user.recordId}` })).toBeVisible()
      await expect(open.getByRole('listitem').filter({ hasText: gone.name }).first()).toContainText(
        t.user.entryStates['sold-back'],
      )
      expect(await accessibilityViolations(admin)).toEqual([])
      await open.getByRole('link', { name: kept.name }).last().click()
      const entry = admin.getByRole('list', { name: t.user.tab.entries }).getByRole('article')
      await expect(entry).toHaveCount(1)
      await expect(entry).toContainText(t.user.entryStates.held)

      const shortWallet = `${user.walletAddress.slice(0, 6)}...${user.walletAddress.slice(-4)}`
      for (const words of [user.walletAddress, shortWallet, firstName]) {
        await admin.goto('/admin')
        await field.fill(words)
        await admin.getByRole('button', { name: t.search.find }).click()
        await expect(admin).toHaveURL(`${server.url}/admin/users/${user.id}`)
        await expect(admin.getByRole('heading', { level: 1 })).toHaveText(firstName)
      }
      await field.fill('nobody at all')
      await field.press('Enter')
      await expect(admin.getByText(t.search.none).last()).toBeVisible()
      await admin.context().close()
    })
  })
}

test('only admins see a user’s page', async ({ page }) => {
  await signInWithPoints(page, 1)
  const { id } = await getJson<User>(page, '/api/auth/user')
  await page.goto(`/admin/users/${id}`)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(en.admin.denied)
  expect((await page.request.get(`/api/admin/users/${id}`)).status()).toBe(403)
})
