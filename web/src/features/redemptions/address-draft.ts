import type { Address } from '@/contract/types'
import { sessionStore } from '@/lib/storage'

/** The typed address is kept for this tab only (session storage). */
const storageKey = (wallet: string) => `claim-address:${wallet}`

export function loadAddressDraft(wallet: string): Partial<Address> {
  try {
    return JSON.parse(sessionStore.getItem(storageKey(wallet)) ?? '{}') as Partial<Address>
  } catch {
    return {}
  }
}

export function saveAddressDraft(wallet: string, address: Partial<Address>): void {
  sessionStore.setItem(storageKey(wallet), JSON.stringify(address))
}

export function clearAddressDraft(wallet: string): void {
  sessionStore.removeItem(storageKey(wallet))
}
