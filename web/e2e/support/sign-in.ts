import type { APIRequestContext, Browser, Page } from '@playwright/test'
import { generateKeyPairSync, sign } from 'node:crypto'
import { base58 } from '../../src/features/auth/wallets/base58'
import { expect } from './server'

export const connectButton = (page: Page) => page.getByRole('button', { name: 'Connect wallet' }).first()
export const logoutButton = (page: Page) => page.getByRole('button', { name: 'Log out' })
export const walletRow = (page: Page, name: string | RegExp) =>
  page.getByRole('dialog').getByRole('list', { name: 'Wallets' }).getByRole('button', { name })

export async function connect(page: Page, wallet: string | RegExp = 'Phantom'): Promise<void> {
  await connectButton(page).click()
  await walletRow(page, wallet).click()
}

/** Opens the start page and signs in. */
export async function signIn(page: Page, wallet: string | RegExp = 'Phantom'): Promise<void> {
  await page.goto('/')
  await connect(page, wallet)
  await expect(logoutButton(page)).toBeVisible()
  await expect(page.getByRole('dialog')).toBeHidden()
}

/** Creates a key pair. */
function newKey() {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519')
  const { x = '' } = publicKey.export({ format: 'jwk' })
  const address = base58(Buffer.from(x, 'base64url'))
  const signText = (message: string) => base58(sign(null, Buffer.from(message), privateKey))
  return { address, signText, jwk: privateKey.export({ format: 'jwk' }) }
}

/** Signs a new user in with requests from the page. Returns the address. */
export async function signInOnPage(page: Page): Promise<string> {
  const { address, signText } = newKey()
  const post = (path: string, body: object) =>
    page.evaluate(
      async ([to, data]) => {
        const answer = await fetch(to, { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: data })
        if (!answer.ok) throw new Error(`${answer.status} ${await answer.text()}`)
        return (await answer.json()) as { message: string }
      },
      [path, JSON.stringify(body)] as const,
    )
  const { message } = await post('/api/auth/challenge', { address })
  await post('/api/auth/verify', { address, signature: signText(message) })
  return address
}

/** Signs a new user in without the page's dialog. */
async function signInNewUser(request: APIRequestContext, { address, signText }: Signer): Promise<void> {
  const challenge = await request.post('/api/auth/challenge', { data: { address } })
  const { message } = (await challenge.json()) as { message: string }
  const data = { address, signature: signText(message) }
  await expect(await request.post('/api/auth/verify', { data })).toBeOK()
}

/** Like signInWithPoints, with a demo wallet in the browser. */
export async function signInWithWallet(page: Page, points: number): Promise<Signer> {
  const key = newKey()
  await signInNewUser(page.request, key)
  await page.addInitScript(
    ([jwk, address]) => {
      localStorage.setItem('demo-wallet', jwk)
      localStorage.setItem('wallet:name', 'demo')
      localStorage.setItem('wallet:connected', 'true')
      localStorage.setItem('wallet:address', address)
    },
    [JSON.stringify(key.jwk), key.address] as const,
  )
  await expect(await page.request.post('/api/wallet/deposit/manual', { data: { amount: points } })).toBeOK()
  return key
}

/** Opens a page for another visitor in a new browser context. */
export async function newVisitor(browser: Browser, baseURL: string, locale: string): Promise<Page> {
  const context = await browser.newContext({ baseURL, locale })
  return context.newPage()
}

/** A user's address, and a signature like their wallet's. */
export type Signer = Pick<ReturnType<typeof newKey>, 'address' | 'signText'>

/** Signs a new user in, with this many Play Points. */
export async function signInWithPoints(page: Page, points: number): Promise<Signer> {
  const key = newKey()
  await signInNewUser(page.request, key)
  await expect(await page.request.post('/api/wallet/deposit/manual', { data: { amount: points } })).toBeOK()
  return key
}
