import type { Page } from '@playwright/test'
import { createKeyPairSignerFromBytes, getBase58Encoder } from '@solana/kit'
import { createHmac } from 'node:crypto'
import { flow as flowEn } from '../src/features/redemptions/texts/en'
import { flow as flowZh } from '../src/features/redemptions/texts/zh'
import { give as giveEn, gifts as giftsEn } from '../src/features/gifts/texts/en'
import { give as giveZh, gifts as giftsZh } from '../src/features/gifts/texts/zh'
import { sellBack as sellEn } from '../src/features/sellback/texts/en'
import { sellBack as sellZh } from '../src/features/sellback/texts/zh'
import type { Claim, Gift, InventoryEntry } from '../src/contract/types'
import { dollars, points, shortAddress } from '../src/lib/format'
import { accessibilityViolations } from './support/axe'
import { getJson, sendToVault } from './support/api'
import { addAuthenticator, becomeAnotherProfile, passkeyUser, words } from './support/passkeys'
import { shop, startProvider } from './support/provider'
import { expect, sandbox, test, withServer } from './support/server'
import { connect } from './support/sign-in'

test.slow()

const valueOf = (cards: readonly InventoryEntry[]) => cards.reduce((sum, { item }) => sum + item.baseValueCents, 0)

/** Opens packs until the cards are worth this much, and returns them. */
async function pull(page: Page, leastCents = 1): Promise<InventoryEntry[]> {
  await expect(await page.request.post('/api/wallet/deposit/manual', { data: { amount: 1000 } })).toBeOK()
  let cards: InventoryEntry[] = []
  while (valueOf(cards) < leastCents) {
    await expect(await page.request.post('/api/packs/demo-pack-1/open', { data: { clientSeed: 'x' } })).toBeOK()
    cards = await getJson<InventoryEntry[]>(page, '/api/inventory/me')
  }
  return cards
}

for (const { locale, flow, give, gifts, sell } of [
  { locale: 'en-US', flow: flowEn, give: giveEn, gifts: giftsEn, sell: sellEn },
  { locale: 'zh-CN', flow: flowZh, give: giveZh, gifts: giftsZh, sell: sellZh },
] as const) {
  const { identity, passkey: t } = words[locale]
  test.describe(locale, () => {
    test.use({ locale })

    test('a wallet is created, signs in, stays signed in without a touch, ships a card and gives one', async ({
      page,
      server,
    }) => {
      const device = await addAuthenticator(page)
      const me = passkeyUser(page, words[locale])
      const button = (name: string) => page.getByRole('button', { name, exact: true })
      await page.goto('/')
      await me.openWallets()
      await expect(me.list.getByRole('button', { name: identity.createPasskey })).toContainText(
        identity.createPasskeyNote,
      )
      await me.create.click()
      await expect(me.dialog(t.create.title).getByText(t.warning)).toBeVisible()
      expect(await accessibilityViolations(page)).toEqual([])
      expect(device.ceremonies).toMatchObject({ created: 0, touched: 0 })
      await me.agree(t.create.title, t.create.confirm)

      // The device has the passkey; nothing is signed before the text was shown and agreed to.
      await expect(me.dialog(t.sign.title)).toBeVisible()
      expect(await accessibilityViolations(page)).toEqual([])
      expect(device.ceremonies).toMatchObject({ created: 1, touched: 0 })
      const text = await me.signText()
      const address = await me.address()
      expect(device.ceremonies).toMatchObject({ created: 1, touched: 1 })
      const { host } = new URL(server.url)
      expect(text).toMatch(
        new RegExp(`^${host} wants you to sign in with your Solana account:\\n${address}\\n\\nSign in to Kaibao\\.`),
      )

      await page.reload()
      await expect(me.logoutButton).toBeVisible()
      const cards = await pull(page)
      const [shipped, given] = cards as [InventoryEntry, InventoryEntry]
      expect(device.ceremonies).toMatchObject({ created: 1, touched: 1 })

      await sendToVault(page, shipped.id)
      await page.goto(`/claim?items=${encodeURIComponent(JSON.stringify([shipped.id]))}`)
      await button(flow.next).click()
      await page.getByRole('combobox', { name: flow.country }).selectOption('HK')
      await page.getByRole('textbox', { name: flow.fields.name }).fill('Ann Collector')
      await page.getByRole('textbox', { name: flow.fields.line1 }).fill('1 Peking Road')
      await page.getByRole('combobox', { name: flow.kinds.Area, exact: true }).selectOption('Kowloon')
      await button(flow.next).click()
      await button(flow.sign(points(900))).click()
      expect(await me.signText()).toContain(shipped.id)
      await expect(page).toHaveURL(/\/claims$/)
      expect(await getJson<Claim[]>(page, '/api/redemptions')).toHaveLength(1)
      expect(device.ceremonies).toMatchObject({ created: 1, touched: 2 })

      await page.goto('/my-collection')
      await button(sell.giveItem(given.item.name)).first().click()
      const giving = me.dialog(give.title(1))
      await giving.getByRole('button', { name: give.next }).click()
      await page
        .getByRole('dialog')
        .getByRole('button', { name: give.sign(1) })
        .click()
      // Canceling gives nothing, and the dialog below stays.
      await me.dialog(t.sign.title).getByRole('button', { name: t.cancel }).click()
      expect(await getJson<Gift[]>(page, '/api/gifts')).toEqual([])
      await page
        .getByRole('dialog')
        .getByRole('button', { name: give.sign(1) })
        .click()
      const gift = await me.signText()
      const lines = cards.filter(({ item }) => item.name === given.item.name)
      expect(lines.some(({ id, item }) => gift.includes(`1. ${item.name} [${id}]`))).toBe(true)
      await expect(page.getByRole('dialog').getByRole('textbox', { name: gifts.link })).toHaveValue(/\/gift\//)
      expect(device.ceremonies).toMatchObject({ created: 1, touched: 3 })
    })

    test('a second profile that shares the passkey has the same wallet', async ({ page }) => {
      const device = await addAuthenticator(page)
      const me = passkeyUser(page, words[locale])
      await page.goto('/')
      const address = await me.createWallet()
      await becomeAnotherProfile(page)
      expect(await me.signIn()).toBe(address)
      expect(device.ceremonies).toMatchObject({ created: 1, touched: 3 })
    })

    test('a device without PRF can’t hold a wallet, and keeps no useless passkey', async ({ page }) => {
      const device = await addAuthenticator(page, { hasPrf: false })
      const me = passkeyUser(page, words[locale])
      await page.goto('/')
      await me.openWallets()
      await me.create.click()
      await me.agree(t.create.title, t.create.confirm)
      await expect(me.alert).toHaveText(identity.walletErrors['passkey-unusable']())
      // The device was asked once more, as some evaluate the PRF only then.
      expect(device.ceremonies).toMatchObject({ created: 1, touched: 1, secrets: [] })
      await expect.poll(device.credentials).toEqual([])
      expect(await known(page)).toEqual([])
      expect(await accessibilityViolations(page)).toEqual([])
    })

    test('a canceled prompt says so at every step, and can be repeated', async ({ page }) => {
      const device = await addAuthenticator(page)
      const me = passkeyUser(page, words[locale])
      const cancelled = identity.walletErrors['passkey-cancelled']()
      await page.goto('/')
      await me.openWallets()
      await device.setCanceling(true)
      await me.use.click()
      await expect(me.alert).toHaveText(cancelled)
      await me.create.click()
      await me.agree(t.create.title, t.create.confirm)
      await expect(me.alert).toHaveText(cancelled)
      expect(await device.credentials()).toEqual([])

      await device.setCanceling(false)
      await me.agree(t.create.title, t.create.confirm)
      await expect(me.dialog(t.sign.title)).toBeVisible()
      await device.setCanceling(true)
      await me.agree(t.sign.title, t.sign.confirm)
      await expect(me.alert).toHaveText(cancelled)
      await device.setCanceling(false)
      await me.signText()
      await me.address()
      expect(await device.credentials()).toHaveLength(1)

      await me.signOut()
      await device.lock()
      await me.openWallets()
      await me.use.click()
      await expect(me.alert).toHaveText(cancelled)
    })

    test('a second “Create” overwrites nothing', async ({ page }) => {
      const device = await addAuthenticator(page)
      const me = passkeyUser(page, words[locale])
      await page.goto('/')
      const address = await me.createWallet()
      const before = await device.credentials()
      await me.signOut()
      await me.openWallets()
      await me.create.click()
      await expect(me.dialog(t.create.title).getByText(t.create.known)).toBeVisible()
      await me.agree(t.create.title, t.create.confirm)
      await expect(me.alert).toHaveText(identity.walletErrors['passkey-exists']())
      await me.dialog(t.create.title).getByRole('button', { name: t.cancel }).click()
      expect(await device.credentials()).toEqual(before)
      await me.use.click()
      await me.signText()
      expect(await me.address()).toBe(address)
    })

    test('of two wallets on one device, the other one is used only after a question', async ({ page }) => {
      const device = await addAuthenticator(page)
      const me = passkeyUser(page, words[locale])
      await page.goto('/')
      const first = await me.createWallet()
      await becomeAnotherProfile(page)
      const second = await me.createWallet()
      expect(second).not.toBe(first)
      const passkeys = await device.credentials()
      expect(passkeys).toHaveLength(2)

      // The device answers with one of them, and this browser has used the other one last.
      await me.signOut()
      await remember(page, { last: '' })
      await me.openWallets()
      await me.use.click()
      const text = await me.dialog(t.sign.title).locator('pre').innerText()
      const [answered, last] = text.includes(first) ? [first, second] : [second, first]
      await me.dialog(t.sign.title).getByRole('button', { name: t.cancel }).click()
      await expect(me.alert).toHaveText(identity.walletErrors.cancelled())
      await remember(page, { last })
      await me.use.click()
      const asking = me.dialog(t.other.title)
      await expect(asking).toContainText(answered)
      await expect(asking).toContainText(last)
      expect(await accessibilityViolations(page)).toEqual([])
      await asking.getByRole('button', { name: t.cancel }).click()
      await expect(me.alert).toHaveText(identity.walletErrors.cancelled())
      await expect(page.getByRole('dialog', { name: identity.connectTitle })).toBeVisible()
      await me.use.click()
      await me.agree(t.other.title, t.other.use(shortAddress(answered, 4, 4)))
      await me.signText()
      expect(await me.address()).toBe(answered)
      expect(await device.credentials()).toEqual(passkeys)
    })

    test('another wallet’s passkey signs nothing', async ({ page }) => {
      const device = await addAuthenticator(page)
      const me = passkeyUser(page, words[locale])
      await page.goto('/')
      await me.createWallet()
      const [first] = await device.credentials()
      await becomeAnotherProfile(page)
      const address = await me.createWallet()
      // This browser doesn't know the passkey of its wallet, and the device no longer has it.
      await remember(page, { known: [] })
      for (const id of await device.credentials()) if (id !== first) await device.remove(id)
      const [card] = (await pull(page)) as [InventoryEntry]
      await page.goto('/my-collection')
      await page
        .getByRole('button', { name: sell.giveItem(card.item.name), exact: true })
        .first()
        .click()
      await page.getByRole('dialog').getByRole('button', { name: give.next }).click()
      await page
        .getByRole('dialog')
        .getByRole('button', { name: give.sign(1) })
        .click()
      await me.agree(t.sign.title, t.sign.confirm)
      await expect(me.alert).toHaveText(identity.walletErrors['passkey-other']())
      expect(await getJson<Gift[]>(page, '/api/gifts')).toEqual([])
      await me.dialog(t.sign.title).getByRole('button', { name: t.cancel }).click()
      await page.keyboard.press('Escape')
      expect(await me.address()).toBe(address)
    })

    test('the key is exported after another touch, suggested once from $100, and works in another wallet', async ({
      page,
    }) => {
      const device = await addAuthenticator(page)
      const me = passkeyUser(page, words[locale])
      await page.goto('/')
      const address = await me.createWallet()
      await page.goto('/my-collection')
      const hint = page.getByRole('region', { name: t.hint.title })
      await expect(page.getByText(dollars(0)).first()).toBeVisible()
      await expect(hint).toBeHidden()
      const value = valueOf(await pull(page, 100_00))
      await page.reload()
      await expect(hint).toContainText(t.hint.text('$100'))
      expect(await accessibilityViolations(page)).toEqual([])
      await hint.getByRole('button', { name: t.export.button }).click()
      const exporting = me.dialog(t.export.title)
      const touched = device.ceremonies.touched
      await device.setCanceling(true)
      await me.agree(t.export.title, t.export.confirm)
      await expect(me.alert).toHaveText(identity.walletErrors['passkey-cancelled']())
      await expect(exporting.locator('code')).toHaveCount(0)
      await device.setCanceling(false)
      await me.agree(t.export.title, t.export.confirm)
      const secretKey = await exporting.locator('code').innerText()
      expect(device.ceremonies.touched).toBe(touched + 1)
      expect(await accessibilityViolations(page)).toEqual([])
      const imported = await createKeyPairSignerFromBytes(getBase58Encoder().encode(secretKey))
      expect(imported.address).toBe(address)
      await exporting.getByRole('button', { name: t.export.done }).click()
      await expect(hint).toBeHidden()
      await expect(page.getByText(secretKey)).toHaveCount(0)
      await page.reload()
      await expect(page.getByText(dollars(value)).first()).toBeVisible()
      await expect(hint).toBeHidden()

      // It stays at hand on the account page, and each time takes a touch.
      await page.goto('/account')
      await page.getByRole('button', { name: t.export.button }).click()
      await me.agree(t.export.title, t.export.confirm)
      await expect(exporting.locator('code')).toHaveText(secretKey)
      expect(device.ceremonies.touched).toBe(touched + 2)
    })
  })
}

/** Changes what this browser knows about passkeys. */
const remember = (page: Page, change: object) =>
  page.evaluate((changed) => {
    const stored = JSON.parse(localStorage.getItem('passkey-wallets') ?? '') as object
    localStorage.setItem('passkey-wallets', JSON.stringify({ ...stored, ...changed }))
  }, change)

const { identity, passkey: t } = words['en-US']

/** What this browser knows about passkeys. */
const known = (page: Page) =>
  page.evaluate(() => (JSON.parse(localStorage.getItem('passkey-wallets') ?? '{}') as { known?: unknown[] }).known)

test('a passkey that was copied without its secret can’t be used, and isn’t deleted', async ({ page, context }) => {
  const device = await addAuthenticator(page)
  await page.goto('/')
  await passkeyUser(page).createWallet()
  const otherPage = await context.browser()!.newPage({ baseURL: new URL(page.url()).origin })
  const copy = await addAuthenticator(otherPage)
  await device.copyTo(copy)
  const other = passkeyUser(otherPage)
  await otherPage.goto('/')
  await other.openWallets()
  await other.use.click()
  await expect(other.alert).toHaveText(identity.walletErrors['passkey-unusable']())
  expect(await copy.credentials()).toHaveLength(1)
  await otherPage.context().close()
})

test('two tabs agree about the wallet', async ({ page, context }) => {
  await addAuthenticator(page)
  const me = passkeyUser(page)
  await page.goto('/')
  await me.createWallet()
  const tab = await context.newPage()
  await tab.goto('/')
  await expect(passkeyUser(tab).logoutButton).toBeVisible()
  await me.signOut()
  await expect(passkeyUser(tab).connectButton).toBeVisible()
})

test('neither key nor secrets leave the page', async ({ browser }) => {
  let log = ''
  const sent: string[] = []
  await withServer(
    async ({ url }) => {
      const context = await browser.newContext({ baseURL: url })
      const page = await context.newPage()
      page.on('console', (message) => sent.push(message.text()))
      page.on('request', (request) => {
        sent.push(request.url(), request.postData() ?? '', JSON.stringify(request.headers()))
      })
      const device = await addAuthenticator(page)
      const me = passkeyUser(page)
      await page.goto('/')
      await me.createWallet()
      await page.goto('/account')
      await page.getByRole('button', { name: t.export.button }).click()
      await me.agree(t.export.title, t.export.confirm)
      const exported = await me.dialog(t.export.title).locator('code').innerText()
      await me.dialog(t.export.title).getByRole('button', { name: t.export.done }).click()
      await page.goto('/')
      await me.signOut()
      await me.signIn()
      const stored = await page.evaluate(dumpStorage)
      const html = await page.content()
      await context.close()

      const { secrets } = device.ceremonies
      expect(new Set(secrets).size).toBe(1)
      const output = Buffer.from(secrets[0]!, 'hex')
      const seed = hkdf(output)
      expect(exported.length).toBeGreaterThan(80)
      const everywhere = `${sent.join('\n')}\n${stored}\n${html}\n${log}`
      // The test would find them: requests have signatures, the log has their lines.
      expect(sent.join('\n')).toContain('"signature"')
      expect(log).toContain('/api/auth/verify')
      expect(stored).toContain('passkey-wallets')
      for (const secret of [output, seed]) {
        for (const encoding of ['hex', 'base64', 'base64url'] as const) {
          expect(everywhere).not.toContain(secret.toString(encoding).replace(/=+$/, ''))
        }
        expect(everywhere).not.toContain([...secret].join(','))
      }
      expect(everywhere).not.toContain(exported)
    },
    sandbox,
    (text) => {
      log += text
    },
  )
})

function hkdf(secret: Buffer): Buffer {
  const pseudorandom = createHmac('sha256', Buffer.alloc(32)).update(secret).digest()
  return createHmac('sha256', pseudorandom).update(Buffer.from('kaibao/passkey-wallet/v1\x01')).digest()
}

/** Runs in the page: everything that it stores. */
async function dumpStorage(): Promise<string> {
  const parts = [JSON.stringify({ ...localStorage }), JSON.stringify({ ...sessionStorage }), document.cookie]
  for (const { name } of await indexedDB.databases()) parts.push(`database ${name}`)
  for (const name of await caches.keys()) parts.push(`cache ${name}`)
  return parts.join('\n')
}

test('stays available to sell and ship during a break, but offers no new wallet', async ({ page }) => {
  await addAuthenticator(page)
  const me = passkeyUser(page)
  await page.goto('/')
  const address = await me.createWallet()
  await expect(await page.request.post('/api/limits/time-out', { data: { days: 1 } })).toBeOK()
  await page.reload()
  await expect.poll(() => page.evaluate(() => localStorage.getItem('wallet-break'))).toContain(address)
  await me.signOut()
  await me.openWallets()
  await expect(me.use).toBeVisible()
  await expect(me.create).toHaveCount(0)
  await me.use.click()
  await me.signText()
  expect(await me.address()).toBe(address)
})

test('isn’t offered where the last wallet is on a break', async ({ page }) => {
  await addAuthenticator(page)
  const me = passkeyUser(page)
  await page.goto('/')
  await connect(page, /Demo wallet/)
  const address = await me.address()
  await expect(await page.request.post('/api/limits/exclusion', { data: { forGood: false } })).toBeOK()
  await page.reload()
  await expect.poll(() => page.evaluate(() => localStorage.getItem('wallet-break'))).toContain(address)
  await me.signOut()
  await me.openWallets()
  await expect(me.list.getByRole('button', { name: /Demo wallet/ })).toBeVisible()
  await expect(me.use).toHaveCount(0)
  await expect(me.create).toHaveCount(0)
})

test('isn’t offered at an IP address or without WebAuthn', async ({ browser, server }) => {
  const port = Number(new URL(server.url).port)
  const page = await browser.newPage()
  await page.goto(`http://127.0.0.1:${port}/store?sort=price`)
  expect(page.url()).toBe(`http://localhost:${port}/store?sort=price`)
  await page.addInitScript(() => {
    Reflect.deleteProperty(window, 'PublicKeyCredential')
  })
  await page.goto(`http://localhost:${port}/`)
  const me = passkeyUser(page)
  await me.openWallets()
  await expect(me.list.getByRole('button', { name: /Demo wallet/ })).toBeVisible()
  await expect(me.use).toHaveCount(0)
  await page.context().close()

  await withServer(
    async ({ url }) => {
      const other = await browser.newPage({ baseURL: url })
      await other.goto('/')
      const visitor = passkeyUser(other)
      await visitor.openWallets()
      await expect(visitor.list.getByRole('button', { name: /Demo wallet/ })).toBeVisible()
      await expect(visitor.use).toHaveCount(0)
      await other.context().close()
    },
    { ...sandbox, KAIBAO_ADDR: '127.0.0.2:0' },
  )
})

/** A widget that asks for the shop's passkeys in every way it can, and reports what it got. */
const curious = (host: string) => `window.helioCheckout = async (element) => {
  const got = []
  const ask = async (what, credentials, options) => {
    try {
      if (await credentials[what](options)) got.push(what)
    } catch {}
  }
  const extensions = { prf: { eval: { first: new TextEncoder().encode('kaibao/passkey-wallet/v1') } } }
  const challenge = new Uint8Array(32)
  for (const rpId of ['${host}', location.hostname, undefined]) {
    await ask('get', navigator.credentials, { publicKey: { challenge, extensions, ...(rpId && { rpId }) } })
    await ask('create', navigator.credentials, { publicKey: {
      challenge, extensions, rp: { name: 'Kaibao', ...(rpId && { id: rpId }) },
      user: { id: new Uint8Array(16), name: 'x', displayName: 'x' }, pubKeyCredParams: [{ type: 'public-key', alg: -7 }],
    } })
  }
  try {
    const popup = window.open('/payment-frame?lang=en&theme=dark')
    await ask('get', popup.navigator.credentials, { publicKey: { challenge, extensions, rpId: '${host}' } })
  } catch {}
  try {
    await ask('get', window.parent.navigator.credentials, { publicKey: { challenge, extensions, rpId: '${host}' } })
  } catch {}
  element.textContent = 'It got: ' + got.join(', ')
}`

async function beginTopUp(page: Page): Promise<void> {
  await page.goto('/topup')
  await page.getByRole('button', { name: '25', exact: true }).click()
  await page.getByRole('button', { name: 'Top up 25', exact: true }).click()
}

test('a script in the payment frame gets no passkey', async ({ page }) => {
  const device = await addAuthenticator(page)
  await page.goto('/')
  await passkeyUser(page).createWallet()
  const [before, passkeys] = [await device.signatures(), await device.credentials()]
  await page.route('**/sandbox/assets/**', (route) =>
    route.fulfill({
      contentType: 'text/javascript',
      headers: { 'Access-Control-Allow-Origin': '*' },
      body: curious('localhost'),
    }),
  )
  await beginTopUp(page)
  await expect(page.frameLocator('iframe').getByText('It got:')).toHaveText('It got:')
  // Nor if the visitor opens the frame directly.
  await page.goto('/payment-frame?lang=en&theme=dark#token')
  await expect(page.getByText('It got:')).toHaveText('It got:')
  expect(await device.signatures()).toBe(before)
  expect(await device.credentials()).toEqual(passkeys)
})

test('a script on the payment origin gets no passkey', async ({ browser }) => {
  const provider = await startProvider(curious(new URL(shop).hostname))
  await withServer(async () => {
    const context = await browser.newContext({ baseURL: shop })
    await provider.route(context)
    const page = await context.newPage()
    const device = await addAuthenticator(page)
    const me = passkeyUser(page)
    await page.goto('/')
    await me.createWallet()
    const [before, passkeys] = [await device.signatures(), await device.credentials()]
    await beginTopUp(page)
    await expect(page.frameLocator('iframe').getByText('It got:')).toHaveText('It got:')
    await page.goto('https://checkout.example/payment-frame?lang=en&theme=dark#token')
    await expect(page.getByText('It got:')).toHaveText('It got:')
    expect(await device.signatures()).toBe(before)
    expect(await device.credentials()).toEqual(passkeys)
    await provider.closeContext(context)
  }, provider.settings)
  provider.close()
})
