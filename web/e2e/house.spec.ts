import type { Page } from '@playwright/test'
import { books } from '../src/features/publicbooks/texts/en'
import { approvals, list, admin as operate, log as trail } from '../src/features/admin/texts/en'
import { accessibilityViolations } from './support/axe'
import { getJson } from './support/api'
import { expect, makeAdmin, type Server, test } from './support/server'
import { signInWithPoints } from './support/sign-in'

test.use({ ownServer: 'house' })

const walletOf = async (page: Page) => (await getJson<{ walletAddress: string }>(page, '/api/auth/user')).walletAddress
const idOf = async (page: Page) => (await getJson<{ id: string }>(page, '/api/auth/user')).id
const balanceOf = async (page: Page) => (await getJson<{ balanceCents: number }>(page, '/api/wallet')).balanceCents

async function signInAsAdmin(page: Page, server: Server): Promise<void> {
  await signInWithPoints(page, 1)
  await makeAdmin(server, await walletOf(page))
}

async function grantPoints(admin: Page, walletAddress: string, amount: number, reason: string): Promise<void> {
  const data = { walletAddress, amount, reason }
  await expect(await admin.request.post('/api/wallet/deposit/manual', { data })).toBeOK()
}

test('visitors see that the public books balance', async ({ page }) => {
  await page.goto('/books')
  await expect(page.getByRole('region', { name: books.ledger })).toContainText(books.balanced)
  await expect(page.getByRole('region', { name: books.packs }).getByRole('link', { name: 'Pokemon' })).toBeVisible()
  await expect(page.getByRole('region', { name: books.care })).toContainText(books.never)
  expect(await accessibilityViolations(page)).toEqual([])
})

test('an admin sees that no day is closed yet, and finds an admin act with values before and after', async ({
  page,
  server,
  browser,
}) => {
  const otherContext = await browser.newContext()
  const other = await otherContext.newPage()
  await signInWithPoints(other, 7)
  const wallet = await walletOf(other)
  const id = await idOf(other)
  await otherContext.close()
  await signInAsAdmin(page, server)
  await page.goto('/admin?tab=overview')
  await expect(page.getByRole('heading', { name: operate.overview.none })).toBeVisible()
  expect(await accessibilityViolations(page)).toEqual([])

  await grantPoints(page, wallet, 5, 'a prize of the autumn')
  await page.getByRole('tab', { name: operate.tab.trail }).click()
  await expect(page.getByRole('heading', { name: trail.acts['set-role'] }).first()).toBeVisible()
  await page.getByRole('searchbox', { name: trail.search }).fill('of the autumn')
  await page.getByRole('button', { name: list.search }).click()
  const act = page.getByRole('article')
  await expect(act).toHaveCount(1)
  await expect(act.getByRole('heading', { name: trail.acts['deposit-manual'] })).toBeVisible()
  await expect(act).toContainText(`${operate.subjects.user} ${id}`)
  await expect(act.getByRole('row').filter({ hasText: trail.fields.balanceCents })).toContainText(/\$7\.00.*\$12\.00/)
  await act.getByText(trail.request).click()
  await expect(act).toContainText('/api/wallet/deposit/manual')
  expect(await accessibilityViolations(page)).toEqual([])
})

test('a grant above the ceiling takes effect when a second admin approves it', async ({ page, server, browser }) => {
  await signInAsAdmin(page, server)
  const otherContext = await browser.newContext({ locale: 'en-US' })
  const secondAdmin = await otherContext.newPage()
  await signInAsAdmin(secondAdmin, server)
  const away = await browser.newContext()
  const user = await away.newPage()
  await signInWithPoints(user, 5)
  const wallet = await walletOf(user)
  const id = await idOf(user)

  await grantPoints(page, wallet, 600, 'a refund, ticket 4711')
  expect(await balanceOf(user)).toBe(500)
  await page.goto('/admin?tab=approvals')
  const own = page.getByRole('article').filter({ hasText: id })
  await expect(own).toContainText(approvals.own)
  await expect(own.getByRole('button')).toHaveCount(0)

  await secondAdmin.goto('/admin?tab=approvals')
  const request = secondAdmin.getByRole('article').filter({ hasText: id })
  await expect(request).toContainText('$600.00')
  await expect(request).toContainText('a refund, ticket 4711')
  expect(await accessibilityViolations(secondAdmin)).toEqual([])
  await request.getByRole('button', { name: approvals.approveOf(approvals.kinds.credit) }).click()
  const dialog = secondAdmin.getByRole('dialog')
  await dialog.getByRole('textbox', { name: approvals.reason }).fill('seen the transfer')
  await dialog.getByRole('button', { name: approvals.approve }).click()
  await expect(dialog).toBeHidden()
  await expect(request).toHaveCount(0)
  expect(await balanceOf(user)).toBe(60_500)
  await secondAdmin.getByRole('combobox', { name: list.status }).selectOption('approved')
  await expect(request).toContainText('seen the transfer')
  await otherContext.close()
  await away.close()
})
