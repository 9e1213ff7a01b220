import { localStore } from './storage'

// The receipts of sealed orders, which this browser got before their rounds. The server can't replace them.

const storageKey = 'order-receipts'
const maxStored = 60

type Stored = [openId: string, receipt: string][]

function load(): Stored {
  try {
    const stored: unknown = JSON.parse(localStore.getItem(storageKey) ?? '[]')
    return Array.isArray(stored) ? (stored as Stored) : []
  } catch {
    return []
  }
}

/** Stores the receipt of an order. Keeps the first of each order, and the latest 60. */
export function saveOrderReceipt(openId: string, receipt: string): void {
  const stored = load()
  if (stored.some(([id]) => id === openId)) return
  localStore.setItem(storageKey, JSON.stringify([...stored, [openId, receipt]].slice(-maxStored)))
}

/** The receipt of an order; undefined if another browser ordered. */
export function orderReceipt(openId: string): string | undefined {
  return load().find(([id]) => id === openId)?.[1]
}
