import { approvals, list, admin as operate, users as t } from '../src/features/admin/texts/en'
import { accessibilityViolations } from './support/axe'
import { getJson } from './support/api'
import { expect, makeAdmin, test } from './support/server'
import { signInWithPoints } from './support/sign-in'

test.use({ ownServer: 'admin-users' })

test('an admin finds a user, grants points and the admin role, and ends their sessions', async ({
  page,
  server,
  browser,
}) => {
  const otherContext = await browser.newContext({ locale: 'en-US' })
  const other = await otherContext.newPage()
  await signInWithPoints(other, 5)
  const { walletAddress } = await getJson<{ walletAddress: string }>(other, '/api/auth/user')

  await signInWithPoints(page, 1)
  const self = await getJson<{ walletAddress: string }>(page, '/api/auth/user')
  await makeAdmin(server, self.walletAddress)
  await page.goto('/admin?tab=users')
  await page.getByRole('searchbox', { name: t.search }).fill(walletAddress.slice(0, 12))
  await page.getByRole('button', { name: list.search }).click()
  const card = page.getByRole('article').filter({ hasText: walletAddress })
  await expect(page.getByRole('article')).toHaveCount(1)
  await expect(card).toContainText('5.00')
  expect(await accessibilityViolations(page)).toEqual([])

  const who = `${walletAddress.slice(0, 6)}...${walletAddress.slice(-4)}`
  await card.getByRole('button', { name: t.creditOf(who) }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('textbox', { name: t.amount }).fill('0.5')
  await dialog.getByRole('button', { name: t.credit }).click()
  await expect(dialog.getByText(t.wrongAmount('1', '10,000'))).toBeVisible()
  await expect(dialog.getByText(t.required)).toBeVisible()
  await dialog.getByRole('textbox', { name: t.amount }).fill('12.50')
  await dialog.getByRole('textbox', { name: t.reason }).fill('a prize')
  await dialog.getByRole('button', { name: t.credit }).click()
  await expect(dialog).toBeHidden()
  await expect(card).toContainText('17.50')
  expect((await getJson<{ balanceCents: number }>(other, '/api/wallet')).balanceCents).toBe(1750)

  await card.getByRole('button', { name: t.promoteOf(who) }).click()
  await dialog.getByRole('textbox', { name: t.reason }).fill('joined us')
  await dialog.getByRole('button', { name: t.promote }).click()
  await expect(page.getByText(operate.waitsForSecond, { exact: true })).toBeVisible()
  expect((await getJson<{ role: string }>(other, '/api/auth/user')).role).toBe('user')

  const third = await browser.newContext({ locale: 'en-US' })
  const second = await third.newPage()
  await signInWithPoints(second, 1)
  await makeAdmin(server, (await getJson<{ walletAddress: string }>(second, '/api/auth/user')).walletAddress)
  await second.goto('/admin?tab=approvals')
  await second.getByRole('button', { name: approvals.approveOf(approvals.kinds.promote) }).click()
  expect(await accessibilityViolations(second)).toEqual([])
  await second.getByRole('textbox', { name: approvals.reason }).fill('I know them.')
  await second.getByRole('dialog').getByRole('button', { name: approvals.approve }).click()
  await expect(second.getByText(approvals.none)).toBeVisible()
  expect((await getJson<{ role: string }>(other, '/api/auth/user')).role).toBe('admin')
  await third.close()

  await card.getByRole('button', { name: t.signOutOf(who) }).click()
  await dialog.getByRole('textbox', { name: t.reason }).fill('lost a phone')
  await dialog.getByRole('button', { name: t.signOut }).click()
  await expect(dialog).toBeHidden()
  await expect(card.getByRole('button', { name: t.signOutOf(who) })).toBeHidden()
  expect((await other.request.get('/api/wallet')).status()).toBe(401)
  await otherContext.close()
})
