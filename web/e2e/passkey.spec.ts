import type { Page } from '@playwright/test'
import { createKeyPairSignerFromBytes, getBase58Encoder } from '@solana/kit'
import { createHmac } from 'node:crypto'
import { account as accountEn } from '../src/features/account/texts/en'
import { account as accountZh } from '../src/features/account/texts/zh'
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
import { dumpFiles, dumpStorage, encodingsOf, recordTraffic } from './support/secrets'
import { addAuthenticator, becomeAnotherProfile, passkeyUser, words } from './support/passkeys'
import { freePort, shop, startProvider } from './support/provider'
import { expect, sandbox, test, withServer } from './support/server'
import { connect } from './support/sign-in'
import { startTlsBrowser, type TlsBrowser } from './support/tls'

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

for (const { locale, account, flow, give, gifts, sell } of [
  { locale: 'en-US', account: accountEn, flow: flowEn, give: giveEn, gifts: giftsEn, sell: sellEn },
  { locale: 'zh-CN', account: accountZh, flow: flowZh, give: giveZh, gifts: giftsZh, sell: sellZh },
] as const) {
  const { identity, passkey: t } = words[locale]
  test.describe(locale, () => {
    test.use({ locale })

    /** Requests a card's shipment, up to the text to sign. */
    async function startShipment(page: Page, card: InventoryEntry): Promise<void> {
      const button = (name: string) => page.getByRole('button', { name, exact: true })
      await sendToVault(page, card.id)
      await page.goto(`/claim?items=${encodeURIComponent(JSON.stringify([card.id]))}`)
      await button(flow.next).click()
      await page.getByRole('combobox', { name: flow.country }).selectOption('HK')
      await page.getByRole('textbox', { name: flow.fields.name }).fill('Ann Collector')
      await page.getByRole('textbox', { name: flow.fields.line1 }).fill('1 Peking Road')
      await page.getByRole('combobox', { name: flow.kinds.Area, exact: true }).selectOption('Kowloon')
      await button(flow.next).click()
      await button(flow.sign(points(900))).click()
    }

    /** Gives a card to anyone with the link, up to the text to sign. */
    async function startGift(page: Page, card: InventoryEntry): Promise<void> {
      await page.goto('/my-collection')
      await page
        .getByRole('button', { name: sell.giveItem(card.item.name), exact: true })
        .first()
        .click()
      await page
        .getByRole('dialog', { name: give.title(1) })
        .getByRole('button', { name: give.next })
        .click()
      await page
        .getByRole('dialog')
        .getByRole('button', { name: give.sign(1) })
        .click()
    }

    test('a wallet is created, signs in, stays signed in without a touch, ships a card and gives one', async ({
      page,
      server,
    }) => {
      const device = await addAuthenticator(page)
      const me = passkeyUser(page, words[locale])
      await page.goto('/')
      await me.openWallets()
      await expect(me.list.getByRole('button', { name: identity.createPasskey })).toContainText(
        identity.createPasskeyNote,
      )
      await me.create.click()
      await expect(me.dialog(t.create.title).getByText(t.warning)).toBeVisible()
      expect(await accessibilityViolations(page)).toEqual([])
      expect(device.calls).toMatchObject({ created: 0, used: 0 })
      await me.agree(t.create.title, t.create.confirm)

      // The device has the passkey; nothing is signed before the text was shown and agreed to.
      await expect(me.dialog(t.sign.title)).toBeVisible()
      expect(await accessibilityViolations(page)).toEqual([])
      expect(device.calls).toMatchObject({ created: 1, used: 0 })
      const text = await me.signText()
      const address = await me.address()
      expect(device.calls).toMatchObject({ created: 1, used: 1 })
      const { host } = new URL(server.url)
      expect(text).toMatch(
        new RegExp(`^${host} wants you to sign in with your Solana account:\\n${address}\\n\\nSign in to Kaibao\\.`),
      )

      await page.reload()
      await expect(me.logoutButton).toBeVisible()
      const cards = await pull(page)
      const [shipped, given] = cards as [InventoryEntry, InventoryEntry]
      expect(device.calls).toMatchObject({ created: 1, used: 1 })

      await startShipment(page, shipped)
      expect(await me.signText()).toContain(shipped.id)
      await expect(page).toHaveURL(/\/claims$/)
      expect(await getJson<Claim[]>(page, '/api/redemptions')).toHaveLength(1)
      expect(device.calls).toMatchObject({ created: 1, used: 2 })

      await startGift(page, given)
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
      expect(device.calls).toMatchObject({ created: 1, used: 3 })
    })

    test('a second profile that shares the passkey has the same wallet, ships a card and gives one', async ({
      page,
    }) => {
      const device = await addAuthenticator(page)
      const me = passkeyUser(page, words[locale])
      await page.goto('/')
      const address = await me.createWallet()
      const [shipped, given] = (await pull(page)) as [InventoryEntry, InventoryEntry]
      await becomeAnotherProfile(page)
      expect(await known(page)).toBeUndefined()
      expect(await me.signIn()).toBe(address)
      expect(device.calls).toMatchObject({ created: 1, used: 3 })

      await startShipment(page, shipped)
      expect(await me.signText()).toContain(shipped.id)
      await expect(page).toHaveURL(/\/claims$/)
      expect(await getJson<Claim[]>(page, '/api/redemptions')).toHaveLength(1)

      await startGift(page, given)
      expect(await me.signText()).toContain(`\n${address}\n`)
      await expect(page.getByRole('dialog').getByRole('textbox', { name: gifts.link })).toHaveValue(/\/gift\//)
      expect(await getJson<Gift[]>(page, '/api/gifts')).toHaveLength(1)
      expect(device.calls).toMatchObject({ created: 1, used: 5 })
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
      expect(device.calls).toMatchObject({ created: 1, used: 1, secrets: [] })
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

    test('closing a dialog closes the prompt that it opened, and a later try works', async ({ page }) => {
      const device = await addAuthenticator(page)
      const me = passkeyUser(page, words[locale])
      let aborted = 0
      /** Presses a button that has the device ask, then closes the dialog meanwhile. */
      async function closeDuring(press: () => Promise<void>): Promise<void> {
        const before = await storedWallets(page)
        await device.setPresent(false)
        await press()
        await expect.poll(() => device.calls.open).toBe(1)
        await page.keyboard.press('Escape')
        await expect.poll(() => device.calls).toMatchObject({ open: 0, aborted: (aborted += 1) })
        await device.setPresent(true)
        expect(await storedWallets(page)).toEqual(before)
      }
      await page.goto('/')
      await me.openWallets()
      await closeDuring(() => me.use.click())
      await expect(page.getByRole('dialog')).toBeHidden()

      await me.openWallets()
      await me.create.click()
      await closeDuring(() => me.agree(t.create.title, t.create.confirm))
      await expect(me.alert).toHaveText(identity.walletErrors.cancelled())
      expect(await device.credentials()).toEqual([])

      await me.create.click()
      await me.agree(t.create.title, t.create.confirm)
      await expect(me.dialog(t.sign.title)).toBeVisible()
      await closeDuring(() => me.agree(t.sign.title, t.sign.confirm))
      await expect(me.alert).toHaveText(identity.walletErrors.cancelled())
      expect((await page.request.get('/api/auth/user')).status()).toBe(401)
      await page.getByRole('dialog').getByRole('button', { name: identity.tryAgain }).click()
      await me.signText()
      const address = await me.address()
      expect(await device.credentials()).toHaveLength(1)

      // A signature outside the wallet list.
      await page.goto('/account')
      const button = (name: string) => page.getByRole('button', { name, exact: true })
      await button(account.data.button).click()
      await closeDuring(() => me.agree(t.sign.title, t.sign.confirm))
      await expect(page.getByRole('dialog')).toBeHidden()
      await button(account.data.button).click()
      const download = page.waitForEvent('download')
      expect(await me.signText()).toContain(address)
      await download

      await button(t.export.button).click()
      await closeDuring(() => me.agree(t.export.title, t.export.confirm))
      await expect(page.getByRole('dialog')).toBeHidden()
      await button(t.export.button).click()
      await expect(me.dialog(t.export.title).locator('code')).toHaveCount(0)
      await me.agree(t.export.title, t.export.confirm)
      await expect(me.dialog(t.export.title).locator('code')).toBeVisible()
      expect(device.calls).toMatchObject({ created: 1, aborted: 5 })
    })

    test('what only the browser explains is folded below our own words', async ({ page }) => {
      await addAuthenticator(page)
      const me = passkeyUser(page, words[locale])
      // The browser refuses passkeys of another host, and says so in English.
      await page.route('/', async (route) => {
        const response = await route.fetch()
        const html = await response.text()
        await route.fulfill({
          response,
          body: html.replace('"passkeyHost":"localhost"', '"passkeyHost":"shop.example"'),
        })
      })
      await page.goto('/')
      await me.openWallets()
      await me.use.click()
      await expect(me.alert).toHaveText(identity.walletErrors['passkey-failed']())
      const details = page.getByRole('dialog').getByText(/relying party ID/)
      await expect(details).toBeHidden()
      await page.getByRole('dialog').getByText(identity.errorDetails).click()
      await expect(details).toBeVisible()
      expect(await accessibilityViolations(page)).toEqual([])

      await me.create.click()
      await me.agree(t.create.title, t.create.confirm)
      await expect(me.alert).toHaveText(identity.walletErrors['passkey-failed']())
      await page.getByRole('dialog').getByText(identity.errorDetails).click()
      await expect(details).toBeVisible()
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
      const asking = me.dialog(t.otherWallet.title)
      await expect(asking).toContainText(answered)
      await expect(asking).toContainText(last)
      expect(await accessibilityViolations(page)).toEqual([])
      await asking.getByRole('button', { name: t.cancel }).click()
      await expect(me.alert).toHaveText(identity.walletErrors.cancelled())
      await expect(page.getByRole('dialog', { name: identity.connectTitle })).toBeVisible()
      await me.use.click()
      await me.agree(t.otherWallet.title, t.otherWallet.use(shortAddress(answered, 4, 4)))
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
      await startGift(page, card)
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
      const used = device.calls.used
      await device.setCanceling(true)
      await me.agree(t.export.title, t.export.confirm)
      await expect(me.alert).toHaveText(identity.walletErrors['passkey-cancelled']())
      await expect(exporting.locator('code')).toHaveCount(0)
      await device.setCanceling(false)
      await me.agree(t.export.title, t.export.confirm)
      const secretKey = await exporting.locator('code').innerText()
      expect(device.calls.used).toBe(used + 1)
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
      expect(device.calls.used).toBe(used + 2)
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

/** What this browser stores about wallets. */
const storedWallets = (page: Page) =>
  page.evaluate(() =>
    Object.keys(localStorage)
      .filter((key) => /passkey|wallet/.test(key))
      .map((key) => `${key}: ${localStorage.getItem(key)}`)
      .toSorted((a, b) => a.localeCompare(b)),
  )

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
  await expect(other.alert).toHaveText(identity.walletErrors['passkey-unreadable']())
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
  await withServer(
    async ({ url, data }) => {
      const context = await browser.newContext({ baseURL: url })
      const traffic = recordTraffic(context)
      const page = await context.newPage()
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
      const { secrets } = device.calls
      expect(secrets).toHaveLength(5)
      expect(new Set(secrets).size).toBe(1)
      const output = Buffer.from(secrets[0]!, 'hex')
      const secretKey = Buffer.from(getBase58Encoder().encode(exported))
      expect(secretKey).toHaveLength(64)
      const seed = hkdf(output)
      expect(secretKey.subarray(0, 32)).toEqual(seed)
      const places = async () => ({
        traffic: await traffic.texts(),
        storage: await dumpStorage(page),
        page: Buffer.from(await page.content()).toString('latin1'),
        server: dumpFiles(data),
        log: Buffer.from(log).toString('latin1'),
      })
      const secretsIn = (text: string) =>
        [output, seed, secretKey, Buffer.from(exported)].flatMap(encodingsOf).filter((form) => text.includes(form))

      const found = await places()
      for (const [place, text] of Object.entries(found))
        expect({ place, in: secretsIn(text) }).toEqual({ place, in: [] })
      expect(found.traffic).toContain('"signature"')
      expect(found.traffic).toContain('"walletAddress"')
      expect(found.storage).toContain('passkey-wallets')
      expect(found.server).toContain(await me.address())
      expect(found.log).toContain('/api/auth/verify')

      // In each of these places the test would find a secret.
      await page.evaluate(leak, { bytes: [...output], exported })
      const leaked = await places()
      for (const form of encodingsOf(output)) {
        if (form !== output.toString('utf16le')) expect(secretsIn(`before ${form} after`)).toContain(form)
      }
      for (const store of ['local', 'session', 'cookie', 'database', 'cache']) {
        const at = leaked.storage.indexOf(`leak in ${store} `)
        expect(secretsIn(leaked.storage.slice(at, at + 200)), store).not.toEqual([])
      }
      expect(secretsIn(leaked.traffic)).toContain(exported)
      expect(secretsIn(leaked.traffic)).toContain(output.toString('latin1'))
      await context.close()
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

/** Runs in the page: puts a secret everywhere. */
async function leak({ bytes, exported }: { bytes: number[]; exported: string }): Promise<void> {
  const secret = Uint8Array.from(bytes)
  localStorage.setItem('leak', `leak in local ${exported}`)
  sessionStorage.setItem('leak', `leak in session ${bytes.join(',')}`)
  document.cookie = `leak=leak in cookie ${bytes.map((byte) => byte.toString(16).padStart(2, '0')).join('')}`
  await new Promise<void>((resolve) => {
    const opening = indexedDB.open('leaks')
    opening.addEventListener('upgradeneeded', () => {
      opening.result.createObjectStore('leak in database ').put({ secret }, 1)
    })
    opening.addEventListener('success', () => {
      opening.result.close()
      resolve()
    })
  })
  await (await caches.open('leak in cache ')).put('/leak', new Response(secret))
  await (await fetch('/api/leak', { method: 'POST', body: secret })).text()
  reportError(new Error(exported))
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
      const credential = await credentials[what](options)
      if (credential) got.push(what)
      if (credential.getClientExtensionResults().prf?.results?.first) got.push('secret')
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

  // The same script gets them where it runs as ours.
  await page.goto('/')
  const secrets = new Set(device.calls.secrets)
  await page.evaluate(curious('localhost'))
  const result = await page.evaluate(async () => {
    const element = document.createElement('p')
    await (window as unknown as { helioCheckout: (shown: Element) => Promise<void> }).helioCheckout(element)
    return element.textContent
  })
  expect(result).toContain('It got: get, secret, create')
  expect(await device.signatures()).toBeGreaterThan(before)
  expect(secrets).toContain(device.calls.secrets.at(-1))
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

/** Runs a shop at a host, which the browser's proxy knows. */
async function withShop(
  host: string,
  browser: TlsBrowser,
  run: (server: string) => Promise<void>,
  settings: Record<string, string> = {},
): Promise<void> {
  const server = `127.0.0.1:${await freePort()}`
  browser.route(host, server)
  await withServer(() => run(server), {
    ...sandbox,
    KAIBAO_ADDR: server,
    KAIBAO_PUBLIC_URL: `https://${host}`,
    KAIBAO_SANDBOX_PUBLIC: 'true',
    ...settings,
  })
}

test('after a move to another host, passkeys of the old one still work, as long as it says so', async ({
  launchOptions,
}) => {
  const tls = await startTlsBrowser(launchOptions)
  try {
    const page = await tls.browser.newPage({ locale: 'en-US', ignoreHTTPSErrors: true })
    const device = await addAuthenticator(page)
    const me = passkeyUser(page)
    let address = ''
    await withShop('old.example', tls, async () => {
      await page.goto('https://old.example/')
      address = await me.createWallet()
    })
    const passkeys = await device.credentials()
    const moved = async (server: string) => {
      await page.goto('https://new.example/')
      // The old name no longer leads anywhere.
      tls.route('old.example', '127.0.0.1:9')
      await me.openWallets()
      await me.use.click()
      await expect(me.alert).toHaveText(identity.walletErrors['passkey-failed']())
      await page.keyboard.press('Escape')

      tls.route('old.example', server)
      expect(await me.signIn()).toBe(address)
      expect(await device.credentials()).toEqual(passkeys)

      // New passkeys belong to the old host, too.
      await me.signOut()
      for (const id of passkeys) await device.remove(id)
      await page.evaluate(() => localStorage.clear())
      expect(await me.createWallet()).not.toBe(address)
      await me.signOut()
      expect(await me.signIn()).not.toBe(address)
    }
    await withShop('new.example', tls, moved, { KAIBAO_PASSKEY_RP: 'old.example' })
  } finally {
    await tls.close()
  }
})
