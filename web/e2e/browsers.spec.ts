import { devices, type Page } from '@playwright/test'
import * as en from '../src/i18n/texts/en'
import * as zh from '../src/i18n/texts/zh'
import { commandPalette as commandPaletteEn } from '../src/app/command-palette/texts/en'
import { commandPalette as commandPaletteZh } from '../src/app/command-palette/texts/zh'
import { pack as packEn } from '../src/features/store/texts/en'
import { pack as packZh } from '../src/features/store/texts/zh'
import { opening as openingEn } from '../src/features/opening/texts/en'
import { opening as openingZh } from '../src/features/opening/texts/zh'
import { parseManifest } from '../src/lib/protocol/manifest'
import { dollars } from '../src/lib/format'
import { installPhantom } from './support/phantom'
import { expect, test } from './support/server'
import { signInWithPoints } from './support/sign-in'

/** Makes storage throw, like Chrome and Firefox do when all cookies are blocked. */
function blockStorage(): void {
  const refuse = () => {
    throw new DOMException('Access is denied for this document.', 'SecurityError')
  }
  for (const name of ['localStorage', 'sessionStorage']) Object.defineProperty(window, name, { get: refuse })
  Object.assign(window, { BroadcastChannel: refuse })
  navigator.locks.request = () => Promise.reject(new DOMException('Access is denied.', 'SecurityError'))
}

for (const [locale, t, pack, opening, commandPalette] of [
  ['en-US', en, packEn, openingEn, commandPaletteEn],
  ['zh-CN', zh, packZh, openingZh, commandPaletteZh],
] as const)
  test.describe(`in ${locale}`, () => {
    test.use({ locale })

    const chooseDemo = async (page: Page) => {
      await page.getByRole('button', { name: t.shell.user.connectWallet }).first().click()
      await page.getByRole('dialog').getByRole('button', { name: t.identity.demoWallet }).click()
    }

    test('without storage, pages work, and a visitor can sign in and open a pack', async ({ page }) => {
      await page.addInitScript(blockStorage)
      await page.goto('/')
      await chooseDemo(page)
      await expect(page.getByRole('button', { name: t.shell.user.logOut })).toBeVisible()
      await expect(page.getByRole('dialog')).toBeHidden()
      await expect(await page.request.post('/api/wallet/deposit/manual', { data: { amount: 50 } })).toBeOK()
      await page.goto('/pack/2')
      await page.getByRole('button', { name: pack.openPack, exact: true }).click()
      const dialog = page.getByRole('dialog')
      await dialog.getByRole('button', { name: opening.intro.start('25') }).click()
      await expect(dialog.getByRole('heading', { name: opening.results.heading })).toBeVisible({ timeout: 20_000 })
      const { balanceCents } = (await (await page.request.get('/api/wallet')).json()) as { balanceCents: number }
      expect(balanceCents).toBe(2500)
    })

    test('a browser that blocks cookies gets an explanation', async ({ page, server }) => {
      // Such a browser ignores the response's cookie.
      await page.route('**/api/auth/challenge', async (route) => {
        const answer = await fetch(`${server.url}/api/auth/challenge`, {
          method: 'POST',
          headers: { 'Content-Type': 'application/json' },
          body: route.request().postData(),
        })
        await route.fulfill({ status: answer.status, contentType: 'application/json', body: await answer.text() })
      })
      await page.goto('/')
      await chooseDemo(page)
      await expect(page.getByRole('dialog').getByRole('alert')).toHaveText(t.errors.no_cookie)
      expect((await page.request.get('/api/auth/user')).status()).toBe(401)
    })

    const walletRow = (page: Page, name: string) =>
      page.getByRole('list', { name: t.identity.wallets }).getByRole('button', { name })
    const chooseWallet = async (page: Page, name: string) => {
      await page.getByRole('button', { name: t.shell.user.connectWallet }).first().click()
      await walletRow(page, name).click()
    }

    test('a wallet whose signIn fails, such as with a Ledger, signs the text instead', async ({ page }) => {
      await installPhantom(page, { ledger: true })
      await page.goto('/')
      await chooseWallet(page, 'Phantom')
      await expect(page.getByRole('button', { name: t.shell.user.logOut })).toBeVisible()
      expect(await page.evaluate(() => window.fakePhantom.calls)).toMatchObject({ signIn: 1, signMessage: 1 })
    })

    test('the error names a wallet that signs another message', async ({ page }) => {
      await installPhantom(page, { changesText: true })
      await page.goto('/')
      await chooseWallet(page, 'Phantom')
      const expected = t.identity.walletErrors['other-message']('Phantom')
      await expect(page.getByRole('dialog').getByRole('alert')).toHaveText(expected)
    })

    test('with two wallets of the same name, the second signs in with its own account', async ({ page }) => {
      await installPhantom(page, { standard: true, twin: true })
      await page.goto('/')
      const signedIn: string[] = []
      for (const name of ['Phantom (2)', 'Phantom']) {
        await page.getByRole('button', { name: t.shell.user.connectWallet }).first().click()
        await expect(walletRow(page, 'Phantom')).toHaveCount(2)
        await walletRow(page, name).first().click()
        const leave = page.getByRole('button', { name: t.shell.user.logOut })
        await expect(leave).toBeVisible()
        const user = (await (await page.request.get('/api/auth/user')).json()) as { walletAddress: string }
        signedIn.push(user.walletAddress)
        await leave.click()
      }
      expect(new Set(signedIn).size).toBe(2)
    })

    test('a page over plain http says that wallets need https', async ({ page }) => {
      await page.addInitScript(() => Object.defineProperty(window, 'isSecureContext', { value: false }))
      await page.goto('/')
      await page.getByRole('button', { name: t.shell.user.connectWallet }).first().click()
      await expect(page.getByRole('dialog').getByRole('alert')).toHaveText(t.identity.insecure)
    })

    test('a phone offers to open the page in a wallet', async ({ browser, server }) => {
      const { viewport: _, ...phone } = devices['Pixel 7']
      const context = await browser.newContext({
        ...phone,
        locale,
        baseURL: server.url,
        viewport: { width: 900, height: 900 },
      })
      const page = await context.newPage()
      await page.goto('/pack/2')
      await page.getByRole('button', { name: t.shell.user.connectWallet }).first().click()
      const here = encodeURIComponent(`${server.url}/pack/2`)
      for (const [name, link] of [
        ['Phantom', 'https://phantom.app/ul/browse/'],
        ['Solflare', 'https://solflare.com/ul/v1/browse/'],
      ] as const)
        await expect(page.getByRole('link', { name: t.identity.openIn(name) })).toHaveAttribute(
          'href',
          `${link}${here}?ref=${encodeURIComponent(server.url)}`,
        )
      await context.close()
    })

    test('Enter in an input method selects nothing, and composition triggers no search', async ({ page }) => {
      const searched: string[] = []
      page.on('request', (request) => {
        const { pathname, searchParams } = new URL(request.url())
        if (pathname === '/api/items') searched.push(searchParams.get('search') ?? '')
      })
      await page.goto('/')
      await expect(page.getByRole('button', { name: t.shell.user.connectWallet }).first()).toBeVisible()
      const field = page.getByRole('combobox', { name: commandPalette.title })
      await expect(async () => {
        await page.keyboard.press('Control+k')
        await expect(field).toBeVisible({ timeout: 1000 })
      }).toPass()
      const ime = await page.context().newCDPSession(page)
      for (const text of ['b', 'ba', 'bas']) {
        await ime.send('Input.imeSetComposition', { text, selectionStart: text.length, selectionEnd: text.length })
      }
      await expect(field).toHaveValue('bas')
      // Selecting the first option would leave the page.
      await expect(page.getByRole('option').first()).toBeVisible()
      await ime.send('Input.dispatchKeyEvent', { type: 'rawKeyDown', key: 'Enter', windowsVirtualKeyCode: 229 })
      await ime.send('Input.insertText', { text: 'base' })
      await expect(field).toHaveValue('base')
      await expect(page.getByRole('option').filter({ hasText: 'Base Set' }).first()).toBeVisible()
      expect(new URL(page.url()).pathname).toBe('/')
      expect(searched).toEqual(['base'])
      await page.keyboard.press('Enter')
      await expect(field).toBeHidden()
      await expect(page).not.toHaveURL(/\/$/)
    })

    test('a list that fails to load doesn’t mention payments', async ({ page }) => {
      await page.route('**/api/activity?*', (route) =>
        route.fulfill({ status: 500, json: { code: 'internal', message: 'oops', requestId: 'r1' } }),
      )
      await page.route('**/api/activity', (route) =>
        route.fulfill({ status: 500, json: { code: 'internal', message: 'oops', requestId: 'r1' } }),
      )
      await page.goto('/activity')
      await expect(page.getByRole('alert').filter({ hasText: t.errors.internal })).toBeVisible()
      await expect(page.getByText(t.errors['internal.act'])).toBeHidden()
    })

    test('a pack shows its cards’ exact values and its price with cents', async ({ page }) => {
      await signInWithPoints(page, 500)
      const packDetail = (await (await page.request.get('/api/packs/7')).json()) as { manifestHash: string }
      await page.route('**/api/packs/7', async (route) => {
        const answer = await route.fetch()
        await route.fulfill({ json: { ...((await answer.json()) as object), priceCents: 9999, price: '$99.99' } })
      })
      await page.goto('/pack/7')
      const box = page.getByRole('region', { name: pack.price })
      await expect(box).toContainText('99.99')
      await box.getByRole('button', { name: pack.openPack, exact: true }).click()
      const bytes = await (await page.request.get(`/api/fairness/manifests/${packDetail.manifestHash}`)).body()
      const values = parseManifest(new Uint8Array(bytes)).tiers.flatMap(({ weight, cards }) =>
        weight > 0n ? cards.map(({ valueCents }) => valueCents) : [],
      )
      const [low, high] = [dollars(Math.min(...values)), dollars(Math.max(...values))]
      await expect(page.getByRole('dialog')).toContainText(opening.intro.range(low, high))
    })
  })
