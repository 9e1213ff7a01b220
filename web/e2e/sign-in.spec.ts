import type { Page } from '@playwright/test'
import { shell as shellEn } from '../src/i18n/texts/en'
import { shell as shellZh } from '../src/i18n/texts/zh'
import { pack as packEn } from '../src/features/store/texts/en'
import { pack as packZh } from '../src/features/store/texts/zh'
import { accessibilityViolations } from './support/axe'
import { installPhantom } from './support/phantom'
import { expect, test } from './support/server'
import { signInWithPoints, connect, connectButton, logoutButton, signIn, walletRow } from './support/sign-in'

const dialog = (page: Page) => page.getByRole('dialog')

const en = { openPack: packEn.openPack, logOut: shellEn.user.logOut, connect: shellEn.user.connectWallet }
const zh = { openPack: packZh.openPack, logOut: shellZh.user.logOut, connect: shellZh.user.connectWallet }

/** The address of the session cookie's user, requested without the page's wallet header. */
function sessionAddress(page: Page): Promise<string | null> {
  return page.evaluate(async () => {
    const response = await fetch('/api/auth/user')
    if (response.status === 401) return null
    const user = (await response.json()) as { walletAddress: string }
    return user.walletAddress
  })
}

const stored = (page: Page) =>
  page.evaluate(() => [localStorage.getItem('wallet:address'), localStorage.getItem('wallet:connected')])
const walletCalls = (page: Page) => page.evaluate(() => window.fakePhantom.calls)

test('the demo wallet signs in, stays signed in after a reload, and signs out', async ({ page, context }) => {
  await signIn(page, /Demo wallet/)
  const address = await sessionAddress(page)
  expect(address).toMatch(/^[1-9A-HJ-NP-Za-km-z]{32,44}$/)
  expect(await stored(page)).toEqual([address, 'true'])
  expect(await page.evaluate(() => document.cookie)).toBe('')
  expect(await context.cookies()).toContainEqual(
    expect.objectContaining({ httpOnly: true, sameSite: 'Lax', path: '/' }),
  )

  await page.reload()
  await expect(logoutButton(page)).toBeVisible()
  expect(await sessionAddress(page)).toBe(address)

  await logoutButton(page).click()
  await expect(connectButton(page)).toBeVisible()
  expect(await sessionAddress(page)).toBeNull()
  expect(await stored(page)).toEqual([null, null])
})

for (const [locale, texts] of [
  ['en-US', en],
  ['zh-CN', zh],
] as const) {
  test.describe(`in ${locale}`, () => {
    test.use({ locale })
    test('signing out in one tab closes dialogs in the others', async ({ page, context }) => {
      await signInWithPoints(page, 100)
      await page.goto('/pack/2')
      await page.getByRole('button', { name: texts.openPack, exact: true }).click()
      await expect(dialog(page)).toBeVisible()
      const other = await context.newPage()
      await other.goto('/')
      await other.getByRole('button', { name: texts.logOut }).click()
      await expect(dialog(page)).toBeHidden()
      await expect(page.getByRole('button', { name: texts.connect }).first()).toBeVisible()
      expect(await sessionAddress(page)).toBeNull()
    })
  })
}

test.describe('Phantom', () => {
  test('signs in', async ({ page }) => {
    await installPhantom(page)
    await signIn(page)
    expect(await walletCalls(page)).toEqual({ connect: 1, silent: 0, signIn: 1, signMessage: 0 })
  })

  test('without signIn signs the message', async ({ page }) => {
    await installPhantom(page, { signIn: false })
    await signIn(page)
    expect(await walletCalls(page)).toEqual({ connect: 1, silent: 0, signIn: 0, signMessage: 1 })
  })

  test('that registers twice is listed once', async ({ page }) => {
    await installPhantom(page, { standard: true })
    await page.goto('/')
    await connectButton(page).click()
    await expect(walletRow(page, 'Phantom')).toHaveCount(1)
    await walletRow(page, 'Phantom').click()
    await expect(logoutButton(page)).toBeVisible()
    await page.reload()
    await expect.poll(async () => (await walletCalls(page)).silent).toBe(1)
    await expect(logoutButton(page)).toBeVisible()
  })

  test('that refuses to connect shows an error and can be tried again', async ({ page }) => {
    await installPhantom(page, { refuseConnect: { code: 4001, message: 'User rejected the request.' } })
    await page.goto('/')
    await connect(page)
    await expect(dialog(page).getByRole('alert')).toHaveText('Connection was cancelled by user')
    await page.evaluate(() => window.fakePhantom.approve())
    await dialog(page).getByRole('button', { name: 'Try again' }).click()
    await expect(logoutButton(page)).toBeVisible()
  })

  test('that refuses to sign leaves the visitor signed out', async ({ page }) => {
    await installPhantom(page, { refuseSign: { code: 4001, message: 'User rejected the request.' } })
    await page.goto('/')
    await connect(page)
    await expect(dialog(page).getByRole('alert')).toHaveText('Connection was cancelled by user')
    expect(await sessionAddress(page)).toBeNull()
    await page.evaluate(() => window.fakePhantom.approve())
    await dialog(page).getByRole('button', { name: 'Try again' }).click()
    await expect(logoutButton(page)).toBeVisible()
  })

  test('that doesn’t connect shows the specified error', async ({ page }) => {
    await installPhantom(page)
    await page.goto('/')
    await connectButton(page).click()
    for (const [fault, text] of [
      [{ throws: { code: -32603, message: 'Internal error' } }, 'Connection was cancelled by user'],
      [
        { throws: { code: -32002, message: '' } },
        'Connection request already pending. Please check your Phantom wallet.',
      ],
      [{ throws: { code: 0, message: 'Wallet is locked' } }, 'Failed to connect to Phantom: Wallet is locked'],
      [{ throws: { code: 0, message: '' } }, 'Failed to connect to Phantom: Unknown error'],
      [{ returns: {} }, 'Invalid response from Phantom wallet'],
    ] as const) {
      await page.evaluate((next) => window.fakePhantom.failToConnect(next), fault)
      await walletRow(page, 'Phantom').click()
      await expect(dialog(page).getByRole('alert')).toHaveText(text)
    }
  })

  test('that is not installed opens its install page', async ({ page, context }) => {
    await context.route('https://phantom.com/**', (route) => route.fulfill({ body: 'Phantom' }))
    await page.goto('/')
    await connectButton(page).click()
    const popup = page.waitForEvent('popup')
    await walletRow(page, /Phantom/).click()
    await (await popup).waitForURL('https://phantom.com/download')
    await expect(dialog(page).getByRole('alert')).toHaveText('Phantom wallet not found')
  })

  test('that never becomes ready asks for a refresh', async ({ page }) => {
    await installPhantom(page, { readyAfter: null })
    await page.goto('/')
    await connectButton(page).click()
    const alert = page.waitForEvent('dialog')
    // The click only resolves once the alert is closed.
    const click = walletRow(page, /Phantom/).click()
    const text = 'Phantom wallet detected but not ready. Please refresh the page and try again.'
    expect((await alert).message()).toBe(text)
    await (await alert).accept()
    await click
    await expect(dialog(page).getByRole('alert')).toHaveText(text)
  })

  test('that becomes ready late is waited for', async ({ page }) => {
    await installPhantom(page, { readyAfter: 3_000 })
    await signIn(page, /Phantom/)
  })
})

test.describe('a returning user', () => {
  test('is signed in at once, and the wallet follows when it appears', async ({ page }) => {
    const appear = () => page.evaluate(() => window.fakePhantom.appear())
    await installPhantom(page, { hidden: true })
    await page.goto('/')
    await connectButton(page).click()
    await appear()
    await expect(walletRow(page, /Phantom.*Detected/)).toBeVisible()
    await walletRow(page, /Phantom/).click()
    await expect(logoutButton(page)).toBeVisible()

    await page.reload()
    await expect(logoutButton(page)).toBeVisible()
    expect((await walletCalls(page)).silent).toBe(0)
    await appear()
    await expect.poll(async () => (await walletCalls(page)).silent).toBe(1)
    expect((await walletCalls(page)).connect).toBe(0)
  })

  test('whose wallet no longer trusts the site keeps the session but not the stored wallet', async ({ page }) => {
    await installPhantom(page)
    await signIn(page)
    const address = await sessionAddress(page)
    await page.evaluate(() => localStorage.removeItem('fake-phantom'))
    await page.reload()
    await expect.poll(() => stored(page)).toEqual([null, null])
    await expect(logoutButton(page)).toBeVisible()
    expect(await sessionAddress(page)).toBe(address)
  })
})

test.describe('switching the wallet’s account', () => {
  test('locks the page until the new account has signed in', async ({ page }) => {
    await installPhantom(page)
    await signIn(page)
    const first = await sessionAddress(page)

    await page.evaluate(() => window.fakePhantom.switchAccount(1))
    await expect(dialog(page)).toContainText('Your wallet changed accounts')
    const [second] = await stored(page)
    expect(second).not.toBe(first)
    expect(await sessionAddress(page)).toBe(first)
    const refused = await page.evaluate(async (address) => {
      const response = await fetch('/api/wallet', { headers: { Authorization: `Wallet ${address}` } })
      return [response.status, ((await response.json()) as { code: string }).code]
    }, second)
    expect(refused).toEqual([401, 'wallet_mismatch'])

    await page.keyboard.press('Escape')
    await expect(dialog(page)).toBeHidden()
    await page.getByRole('button', { name: 'Sign in' }).click()
    await walletRow(page, 'Phantom').click()
    await expect(dialog(page)).toBeHidden()
    await expect(page.getByText('Your wallet changed accounts.')).toBeHidden()
    expect(await sessionAddress(page)).toBe(second)
  })

  test('hides the old account’s numbers until it is selected again', async ({ page }) => {
    await installPhantom(page)
    await signIn(page)
    await expect(await page.request.post('/api/wallet/deposit/manual', { data: { amount: 37 } })).toBeOK()
    await page.goto('/balance')
    const figures = page.getByText('37.00', { exact: true })
    await expect(figures.first()).toBeVisible()

    await page.evaluate(() => window.fakePhantom.switchAccount(1))
    await page.keyboard.press('Escape')
    await expect(dialog(page)).toBeHidden()
    await expect(page.getByRole('complementary')).toContainText('Your wallet changed accounts.')
    await expect(figures).toHaveCount(0)
    const notice = page.getByRole('main').getByRole('heading', { name: 'Your wallet changed accounts' })
    await expect(notice).toBeVisible()
    await expect(page.getByRole('main').locator('.skeleton:visible, [class*=animate-pulse]:visible')).toHaveCount(0)
    const kept = await page.request.get('/api/wallet')
    expect(await kept.json()).toMatchObject({ balanceCents: 3700 })

    await page.evaluate(() => window.fakePhantom.switchAccount(0))
    await expect(figures.first()).toBeVisible()
    await expect(notice).toBeHidden()
  })

  test('and back again needs no new signature', async ({ page }) => {
    await installPhantom(page)
    await signIn(page)
    await page.evaluate(() => window.fakePhantom.switchAccount(1))
    await expect(dialog(page)).toBeVisible()
    await page.evaluate(() => window.fakePhantom.switchAccount(0))
    await expect(dialog(page)).toBeHidden()
    expect((await walletCalls(page)).signIn).toBe(1)
    expect(await stored(page)).toEqual([await sessionAddress(page), 'true'])
  })

  test('to no account signs out', async ({ page }) => {
    await installPhantom(page)
    await signIn(page)
    await page.evaluate(() => window.fakePhantom.switchAccount(null))
    await expect(connectButton(page)).toBeVisible()
    expect(await sessionAddress(page)).toBeNull()
    expect(await stored(page)).toEqual([null, null])
  })
})

test('a wallet that disconnects signs out', async ({ page }) => {
  await installPhantom(page)
  await signIn(page)
  await page.evaluate(() => window.fakePhantom.disconnect())
  await expect(connectButton(page)).toBeVisible()
  expect(await sessionAddress(page)).toBeNull()
})

test('the dialog has no accessibility violations', async ({ page }) => {
  await installPhantom(page, { refuseConnect: { code: 4001, message: '' } })
  await page.goto('/')
  await connect(page)
  await expect(dialog(page).getByRole('alert')).toBeVisible()
  expect(await accessibilityViolations(page, '[role="dialog"]')).toEqual([])
})

test('two tabs agree on who is signed in', async ({ context }) => {
  await installPhantom(context)
  const [here, there] = [await context.newPage(), await context.newPage()]
  await there.goto('/')
  await expect(connectButton(there)).toBeVisible()
  await signIn(here)
  await expect(logoutButton(there)).toBeVisible()
  await logoutButton(there).click()
  await expect(connectButton(there)).toBeVisible()
  await expect(connectButton(here)).toBeVisible()
  expect(await sessionAddress(here)).toBeNull()
})
