import type { Address } from '@/lib/contract/types'

export const steps = ['items', 'address', 'confirm'] as const
export type Step = (typeof steps)[number]

export interface Draft {
  /** Entries' ids. */
  items?: string[] | undefined
  step?: Step | undefined
}

/** What the address of the flow says; anything unknown is dropped. */
export function claimSearch(raw: Readonly<Record<string, unknown>>): Draft {
  const { items, step } = raw
  const ids = Array.isArray(items) ? items.filter((id) => typeof id === 'string') : undefined
  return { items: ids?.length ? ids : undefined, step: steps.find((one) => one === step) }
}

/** Typed so far. It survives a reload of this tab, and nothing else. */
const place = (wallet: string) => `claim-address:${wallet}`

export function keptAddress(wallet: string): Partial<Address> {
  try {
    return JSON.parse(sessionStorage.getItem(place(wallet)) ?? '{}') as Partial<Address>
  } catch {
    return {}
  }
}

export function keepAddress(wallet: string, address: Partial<Address>): void {
  sessionStorage.setItem(place(wallet), JSON.stringify(address))
}

export function forgetAddress(wallet: string): void {
  sessionStorage.removeItem(place(wallet))
}
