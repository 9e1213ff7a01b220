import type { Page } from '@playwright/test'
import type { InventoryEntry, Opening, Transaction } from '../../src/contract/types'
import { expect } from './server'

/** Reads from the server with the visitor's cookie, past the page and its cache. */
export async function read<T>(page: Page, path: string): Promise<T> {
  const response = await page.request.get(path)
  await expect(response).toBeOK()
  return (await response.json()) as T
}

/** What the server has written down about the visitor. */
interface Books {
  balanceCents: number
  opens: Opening[]
  inventory: InventoryEntry[]
  movements: Transaction[]
}

async function books(page: Page): Promise<Books> {
  const [{ balanceCents }, opens, inventory, movements] = await Promise.all([
    read<{ balanceCents: number }>(page, '/api/wallet'),
    read<Opening[]>(page, '/api/opens'),
    read<InventoryEntry[]>(page, '/api/inventory/me'),
    read<Transaction[]>(page, '/api/wallet/transactions'),
  ])
  return { balanceCents, opens, inventory, movements }
}

/** Of a visitor who came with `points`: these many opens, each paid once, all of their items there. Gives the opens. */
export async function expectPaid(page: Page, points: number, opens: number): Promise<Opening[]> {
  const found = await books(page)
  expect(found.opens).toHaveLength(opens)
  const spent = found.opens.reduce((sum, { priceCents }) => sum + priceCents, 0)
  expect(found.balanceCents).toBe(points * 100 - spent)
  expect(found.movements.filter(({ kind }) => kind === 'open')).toHaveLength(opens)
  const pulled = found.opens.flatMap(({ items }) => items.map(({ inventoryId }) => inventoryId))
  expect(found.inventory.map(({ id }) => id).toSorted()).toEqual(pulled.toSorted())
  return found.opens
}

/** Sends an entry to the vault past the page. */
export async function sendToVault(page: Page, inventoryId: string): Promise<void> {
  await expect(await page.request.post('/api/inventory/vault', { data: { inventoryId } })).toBeOK()
}

/** Puts an entry up for sale past the page, at whatever price. */
export async function putForSale(page: Page, inventoryId: string, priceCents: number): Promise<void> {
  const data = { inventoryId, priceCents, confirmedCents: priceCents }
  await expect(await page.request.post('/api/marketplace/list', { data })).toBeOK()
}

/** Bids all of an entry's value for it, past the page. */
export async function bidValue(page: Page, { id, item }: InventoryEntry): Promise<void> {
  // A cap of whole five dollars is in every step of prices.
  const capCents = Math.ceil(item.baseValueCents / 500) * 500
  const data = { scope: { inventoryId: id }, pegPercent: 100, capCents, confirmedCents: capCents }
  await expect(await page.request.post('/api/bids', { data })).toBeOK()
}
