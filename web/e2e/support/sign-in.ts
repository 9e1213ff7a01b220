import type { APIRequestContext, Page } from '@playwright/test'
import { generateKeyPairSync, sign } from 'node:crypto'
import { base58 } from '../../src/features/identity/wallet/base58'
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

/** Signs a new key in without a page: for journeys whose subject is something else. */
async function signInNewcomer(request: APIRequestContext): Promise<void> {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519')
  const { x = '' } = publicKey.export({ format: 'jwk' })
  const address = base58(Buffer.from(x, 'base64url'))
  const challenge = await request.post('/api/auth/challenge', { data: { address } })
  const { message } = (await challenge.json()) as { message: string }
  const signature = base58(sign(null, Buffer.from(message), privateKey))
  await expect(await request.post('/api/auth/verify', { data: { address, signature } })).toBeOK()
}

/** Somebody new, signed in, with so many Play Points. Pages opened from now on are theirs. */
export async function arriveWith(page: Page, points: number): Promise<void> {
  await signInNewcomer(page.request)
  await expect(await page.request.post('/api/wallet/deposit/manual', { data: { amount: points } })).toBeOK()
}
