import type { Address } from '@/contract/types'
import { sessionStore } from '@/lib/storage'

/** Typed so far. It survives a reload of this tab, and nothing else. */
const place = (wallet: string) => `claim-address:${wallet}`

export function keptAddress(wallet: string): Partial<Address> {
  try {
    return JSON.parse(sessionStore.getItem(place(wallet)) ?? '{}') as Partial<Address>
  } catch {
    return {}
  }
}

export function keepAddress(wallet: string, address: Partial<Address>): void {
  sessionStore.setItem(place(wallet), JSON.stringify(address))
}

export function forgetAddress(wallet: string): void {
  sessionStore.removeItem(place(wallet))
}
