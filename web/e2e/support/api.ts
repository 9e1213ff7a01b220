import type { Page } from '@playwright/test'
import type { Gift, GiftChallenge, InventoryEntry, Opening, Transaction } from '../../src/contract/types'
import { expect } from './server'
import type { Signer } from './sign-in'

/** Requests JSON from the server with the visitor's cookie, bypassing the page. */
export async function getJson<T>(page: Page, path: string): Promise<T> {
  const response = await page.request.get(path)
  await expect(response).toBeOK()
  return (await response.json()) as T
}

/** The visitor's data on the server. */
interface Account {
  balanceCents: number
  opens: Opening[]
  inventory: InventoryEntry[]
  transactions: Transaction[]
}

async function getAccount(page: Page): Promise<Account> {
  const [{ balanceCents }, opens, inventory, transactions] = await Promise.all([
    getJson<{ balanceCents: number }>(page, '/api/wallet'),
    getJson<Opening[]>(page, '/api/opens'),
    getJson<InventoryEntry[]>(page, '/api/inventory/me'),
    getJson<Transaction[]>(page, '/api/wallet/transactions'),
  ])
  return { balanceCents, opens, inventory, transactions }
}

/** Expects a visitor who had `points` to have this many opens, each paid once, and all their items. Returns the opens. */
export async function expectPaid(page: Page, points: number, opens: number): Promise<Opening[]> {
  const account = await getAccount(page)
  expect(account.opens).toHaveLength(opens)
  const spent = account.opens.reduce((sum, { priceCents }) => sum + priceCents, 0)
  expect(account.balanceCents).toBe(points * 100 - spent)
  expect(account.transactions.filter(({ kind }) => kind === 'open')).toHaveLength(opens)
  const pulled = account.opens.flatMap(({ items }) => items.map(({ inventoryId }) => inventoryId))
  expect(account.inventory.map(({ id }) => id).toSorted()).toEqual(pulled.toSorted())
  return account.opens
}

/** Sends an entry to the vault through the API. */
export async function sendToVault(page: Page, inventoryId: string): Promise<void> {
  await expect(await page.request.post('/api/inventory/vault', { data: { inventoryId } })).toBeOK()
}

/** Lists an entry at any price through the API. */
export async function listForSale(page: Page, inventoryId: string, priceCents: number): Promise<void> {
  const data = { inventoryId, priceCents, confirmedCents: priceCents }
  await expect(await page.request.post('/api/marketplace/list', { data })).toBeOK()
}

/** Bids 100% of an entry's value through the API. */
export async function bidValue(page: Page, { id, item }: InventoryEntry): Promise<void> {
  // Multiples of five dollars fit every bid step.
  const capCents = Math.ceil(item.baseValueCents / 500) * 500
  const data = { scope: { inventoryId: id }, pegPercent: 100, capCents, confirmedCents: capCents }
  await expect(await page.request.post('/api/bids', { data })).toBeOK()
}

/** Gives entries to a wallet through the API. */
export async function giveToWallet(
  page: Page,
  giver: Signer,
  inventoryIds: readonly string[],
  walletAddress: string,
): Promise<Gift> {
  const data = { inventoryIds, walletAddress }
  const challenge = await page.request.post('/api/gifts/challenge', { data })
  await expect(challenge).toBeOK()
  const { message } = (await challenge.json()) as GiftChallenge
  const given = await page.request.post('/api/gifts', { data: { ...data, signature: giver.signText(message) } })
  await expect(given).toBeOK()
  return (await given.json()) as Gift
}
