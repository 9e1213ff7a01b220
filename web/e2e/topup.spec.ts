import type { Browser, Page } from '@playwright/test'
import { deposits as depositsEn } from '../src/components/deposit/texts/en'
import { deposits as depositsZh } from '../src/components/deposit/texts/zh'
import { deposits as adminEn, list as listEn } from '../src/features/admin/texts/en'
import { deposits as adminZh, list as listZh } from '../src/features/admin/texts/zh'
import { payment as paymentEn, balance as ledgerEn, topup as topupEn } from '../src/features/wallet/texts/en'
import { payment as paymentZh, balance as ledgerZh, topup as topupZh } from '../src/features/wallet/texts/zh'
import * as shellEn from '../src/i18n/texts/en'
import * as shellZh from '../src/i18n/texts/zh'
import type { Deposit, Transaction } from '../src/contract/types'
import { accessibilityViolations } from './support/axe'
import { getJson } from './support/api'
import { shop, startProvider } from './support/provider'
import { expect, makeAdmin, type Server, test, withServer } from './support/server'
import { signInWithPoints, signInOnPage } from './support/sign-in'

test.slow()

// Long journeys with several visitors.
test.describe.configure({ timeout: 180_000 })

const en = {
  locale: 'en-US',
  topup: topupEn,
  ledger: ledgerEn,
  payment: paymentEn,
  deposits: depositsEn,
  admin: adminEn,
  list: listEn,
  shell: shellEn.shell,
  widget: { pay: 'Pay', fail: 'Simulate failure', pend: 'Leave pending' },
}
const zh: typeof en = {
  locale: 'zh-CN',
  topup: topupZh,
  ledger: ledgerZh,
  payment: paymentZh,
  deposits: depositsZh,
  admin: adminZh,
  list: listZh,
  shell: shellZh.shell,
  widget: { pay: '模拟付款成功', fail: '模拟付款失败', pend: '保持待确认' },
}
type Texts = typeof en

const dialog = (page: Page) => page.getByRole('dialog')
const widget = (page: Page) => page.frameLocator('iframe').getByRole('group')
const choose = (page: Page, act: string) => widget(page).getByRole('button', { name: act, exact: true }).click()
const notifications = (page: Page, t: Texts) =>
  page.getByRole('region', { name: t.shell.notifications, includeHidden: true })
const inProgress = (page: Page, t: Texts) => page.getByRole('region', { name: t.topup.inProgress })
const history = (page: Page, t: Texts) => page.getByRole('list', { name: t.topup.history }).getByRole('link')

const balance = async (page: Page) => (await getJson<{ balanceCents: number }>(page, '/api/wallet')).balanceCents
const deposits = (page: Page) => getJson<Deposit[]>(page, '/api/wallet/deposits')

/** Starts a top-up and opens the provider's widget. */
async function begin(page: Page, t: Texts, amount = '25'): Promise<void> {
  await page.getByRole('button', { name: amount, exact: true }).click()
  await page.getByRole('button', { name: t.topup.submit(amount), exact: true }).click()
  await expect(dialog(page)).toContainText(/\d\.\d{6} SOL/)
  await expect(widget(page).getByRole('button', { name: t.widget.pay, exact: true })).toBeVisible()
}

async function verify(page: Page, t: Texts): Promise<void> {
  await dialog(page).getByRole('button', { name: t.payment.verify }).click()
  await expect(notifications(page, t)).toContainText(t.topup.success('25'))
  await expect(dialog(page)).toBeHidden()
}

async function expectAccessible(page: Page): Promise<void> {
  expect(await accessibilityViolations(page)).toEqual([])
}

/** Expects the server to have credited exactly these points for the deposit. */
async function expectCredited(page: Page, before: number, t: Texts): Promise<void> {
  await expect(page.getByRole('complementary')).toContainText(`${before / 100 + 25}.00`)
  expect(await balance(page)).toBe(before + 2500)
  const [deposit] = (await deposits(page)).filter(({ state }) => state === 'credited')
  const lines = await getJson<Transaction[]>(page, '/api/wallet/transactions')
  expect(lines.filter(({ kind }) => kind === 'deposit')).toMatchObject([
    { amountCents: 2500, balanceCents: before + 2500, refKind: 'deposit', ref: deposit?.depositId },
  ])
  await expect(history(page, t).first()).toContainText(t.deposits.states.credited)
}

/** Opens a page with the same wallet in another browser context. */
async function sameWalletElsewhere(browser: Browser, page: Page, { url }: Server, locale: string): Promise<Page> {
  const storageState = await page.context().storageState()
  return (await browser.newContext({ baseURL: url, storageState, locale })).newPage()
}

for (const t of [en, zh]) {
  test.describe(`in ${t.locale}`, () => {
    test.use({ locale: t.locale })

    test('a top-up of 25 with a quick amount is paid, verified, credited, and listed in the ledger', async ({
      page,
    }) => {
      await signInWithPoints(page, 5)
      await page.goto('/topup')
      await begin(page, t)
      await expect(dialog(page)).toContainText('$25.00')
      await expect(dialog(page).getByRole('timer')).toHaveText(/^(29|30)\D/)
      await expectAccessible(page)
      await choose(page, t.widget.pay)
      const button = dialog(page).getByRole('button', { name: t.payment.verify })
      await expect(button).toBeFocused()
      await expectAccessible(page)
      await verify(page, t)
      await expect(page.getByLabel(t.topup.custom)).toHaveValue('')
      await expectCredited(page, 500, t)

      await page.goto('/balance')
      await page.getByRole('list', { name: t.ledger.all }).getByRole('link', { name: t.ledger.kinds.deposit }).click()
      await expect(page.getByRole('heading', { name: t.topup.deposit.title })).toBeVisible()
      const life = page.getByRole('region', { name: t.deposits.history })
      await expect(life.getByRole('listitem').first()).toContainText(t.deposits.reasons['asked']!)
      await expect(life.getByRole('listitem').last()).toContainText(t.deposits.reasons['moved']!)
      await expectAccessible(page)
    })

    test('a failed payment is reported, and retried as a new payment', async ({ page }) => {
      await signInWithPoints(page, 5)
      await page.goto('/topup')
      await begin(page, t)
      await choose(page, t.widget.fail)
      await expect(dialog(page).getByRole('alert')).toContainText(t.payment.failed)
      await expectAccessible(page)
      await dialog(page).getByRole('button', { name: t.payment.tryAgain }).click()
      await choose(page, t.widget.pay)
      await verify(page, t)
      await expectCredited(page, 500, t)
      await expect.poll(async () => (await deposits(page)).map(({ state }) => state)).toEqual(['credited', 'rejected'])
    })

    test('a pending payment is listed, resumed, and paid', async ({ page }) => {
      await signInWithPoints(page, 5)
      await page.goto('/topup')
      await begin(page, t)
      await choose(page, t.widget.pend)
      await expect(dialog(page)).toContainText(t.payment.pending)
      await expectAccessible(page)
      await dialog(page).getByRole('button', { name: t.payment.close }).last().click()
      await expect(dialog(page)).toBeHidden()
      await page.reload()
      await expect(inProgress(page, t)).toContainText('25.00')
      await inProgress(page, t)
        .getByRole('button', { name: t.topup.continueOf('25.00') })
        .click()
      await choose(page, t.widget.pay)
      await verify(page, t)
      await expectCredited(page, 500, t)
      await expect(inProgress(page, t)).toBeHidden()
    })

    test('closing the tab before the verify step still credits the payment, and an open page reports it', async ({
      page,
      browser,
      server,
    }) => {
      await signInWithPoints(page, 5)
      await page.goto('/topup')
      await begin(page, t)
      const other = await sameWalletElsewhere(browser, page, server, t.locale)
      await other.goto('/topup')
      await expect(inProgress(other, t)).toContainText(t.deposits.states.quoted)
      await choose(page, t.widget.pay)
      await expect(dialog(page)).toContainText(t.payment.verifyTitle)
      await page.goto('about:blank')
      await expect(notifications(other, t)).toContainText(t.topup.success('25'))
      await expect(inProgress(other, t)).toBeHidden()
      await expectCredited(other, 500, t)
      await page.goto('/topup')
      await expectCredited(page, 500, t)
      await other.context().close()
    })
  })
}

// The other journeys are in English.
test.describe('in Chinese', () => {
  const t = zh
  test.use({ locale: t.locale })

  test('an admin refunds a top-up, and the user sees the reason', async ({ page, browser, server }) => {
    await signInWithPoints(page, 5)
    await page.goto('/topup')
    await begin(page, t)
    await choose(page, t.widget.pay)
    await verify(page, t)
    const [deposit] = await deposits(page)
    const operator = await (await browser.newContext({ baseURL: server.url, locale: t.locale })).newPage()
    await signInWithPoints(operator, 1)
    const { walletAddress } = await getJson<{ walletAddress: string }>(operator, '/api/auth/user')
    await makeAdmin(server, walletAddress)
    await operator.goto('/admin?tab=deposits')
    await expect(operator.getByText(t.admin.noOrphans)).toBeVisible()
    await operator.getByLabel(t.list.status).selectOption('credited')
    await operator
      .getByRole('button', { name: t.admin.resolveOf('$25.00') })
      .first()
      .click()
    await expectAccessible(operator)
    await dialog(operator).getByRole('button', { name: t.admin.confirm }).click()
    await expect(dialog(operator).getByLabel(t.admin.reason)).toHaveAccessibleDescription(t.admin.required)
    await dialog(operator).getByLabel(t.admin.reason).fill('Sent back by hand.')
    await dialog(operator).getByRole('button', { name: t.admin.confirm }).click()
    await expect(notifications(operator, t)).toContainText(t.admin.resolved)
    await operator.context().close()

    await page.goto(`/deposit/${deposit!.depositId}`)
    await expect(page.getByRole('main')).toContainText(t.deposits.meanings.refunded)
    await expect(page.getByRole('main').getByRole('listitem').last()).toContainText('Sent back by hand.')
    expect(await balance(page)).toBe(500)
  })
})

test('a custom amount must be a whole number from 1 to 10,000', async ({ page }) => {
  await signInWithPoints(page, 5)
  await page.goto('/topup')
  const amount = page.getByLabel(topupEn.custom)
  const button = page.getByRole('button', { name: /^Top up/ })
  await expect(button).toBeDisabled()
  for (const wrong of ['0', '-1', '1.5', '10001', '']) {
    await amount.fill(wrong)
    await expect(button).toBeDisabled()
  }
  for (const right of ['1', '10000']) {
    await amount.fill(right)
    await expect(button).toBeEnabled()
  }
  await button.click()
  await expect(dialog(page)).toContainText('$10,000.00')
  await expect(widget(page)).toContainText('$10,000.00')
  await page.keyboard.press('Escape')
  await expect(dialog(page)).toBeHidden()
  await expect(button).toBeFocused()
  await inProgress(page, en)
    .getByRole('button', { name: topupEn.continueOf('10,000.00') })
    .click()
  await widget(page).getByRole('button', { name: en.widget.pay }).focus()
  await page.keyboard.press('Escape')
  await expect(dialog(page)).toBeHidden()
  expect((await deposits(page)).map(({ amountCents, state }) => [amountCents, state])).toEqual([[1_000_000, 'quoted']])
})

test('one click gives demo points', async ({ page }) => {
  await signInWithPoints(page, 5)
  await page.goto('/topup')
  await page.getByRole('button', { name: topupEn.demo('500') }).click()
  await expect(page.getByRole('complementary')).toContainText('505.00')
  expect(await balance(page)).toBe(50_500)
})

test('outside the sandbox, an underpaid top-up is held for review, and an admin resolves it', async ({ browser }) => {
  const provider = await startProvider()
  await withServer(async (server) => {
    const arrive = async (): Promise<[Page, string]> => {
      const context = await browser.newContext({ baseURL: shop, locale: en.locale })
      await provider.route(context)
      const arrived = await context.newPage()
      await arrived.goto('/roadmap')
      return [arrived, await signInOnPage(arrived)]
    }
    const balanceOf = (of: Page) => expect(of.getByRole('complementary'))
    const [page] = await arrive()
    await page.goto('/topup')
    await expect(page.getByRole('button', { name: topupEn.demo('500') })).toBeHidden()
    await page.getByRole('button', { name: '25', exact: true }).click()
    await page.getByRole('button', { name: topupEn.submit('25'), exact: true }).click()
    await expect(dialog(page)).toContainText('0.104167 SOL')
    await expect(dialog(page)).toContainText(paymentEn.fallback('$240.00'))
    await page.frameLocator('iframe').getByRole('button', { name: 'Send' }).click()
    await dialog(page).getByRole('button', { name: paymentEn.verify }).click()
    await expect(dialog(page).getByRole('alert')).toContainText(paymentEn.endedTitle.review)
    await dialog(page).getByRole('link', { name: paymentEn.details }).click()
    await expect(page.getByRole('main')).toContainText(depositsEn.exceptions.under)
    await balanceOf(page).toContainText('Balance0.00')

    const [operator, admin] = await arrive()
    await makeAdmin(server, admin)
    await operator.goto('/admin?tab=deposits')
    const card = operator.getByRole('article')
    await expect(card).toContainText(depositsEn.exceptions.under)
    await expect(card).toContainText('0.099999999 SOL')
    await card.getByRole('button', { name: adminEn.resolve }).click()
    await dialog(operator).getByLabel(adminEn.action).selectOption('credit')
    await dialog(operator).getByLabel(adminEn.reason).fill('One lamport is nothing.')
    await dialog(operator).getByRole('button', { name: adminEn.confirm }).click()
    await expect(notifications(operator, en)).toContainText(adminEn.resolved)
    await expect(operator.getByText(adminEn.none)).toBeVisible()

    await page.reload()
    await expect(page.getByRole('main')).toContainText(depositsEn.meanings.credited)
    await expect(page.getByRole('main').getByRole('listitem').last()).toContainText('One lamport is nothing.')
    await balanceOf(page).toContainText('24.99')
    await Promise.all([page, operator].map((one) => provider.closeContext(one.context())))
  }, provider.settings)
  provider.close()
})
