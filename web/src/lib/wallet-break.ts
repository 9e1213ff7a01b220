import { serverNow } from './server-clock'
import { localStore } from './storage'

/** Local storage key of the last wallet's time-out or self-exclusion. */
const breakKey = 'wallet-break'

interface WalletBreak {
  address: string
  /** When it ends; null for never */
  until: string | null
}

/** Remembers whether the signed-in wallet is on a break, so that this browser offers no new wallet meanwhile. */
export function rememberBreak(address: string, pause: { until: string | null } | null): void {
  if (pause) localStore.setItem(breakKey, JSON.stringify({ address, until: pause.until } satisfies WalletBreak))
  else localStore.removeItem(breakKey)
}

/** The address of this browser's last wallet, if it is on a break. */
export function walletOnBreak(): string | undefined {
  const stored = localStore.getItem(breakKey)
  if (!stored) return undefined
  try {
    const { address, until } = JSON.parse(stored) as WalletBreak
    return until === null || Date.parse(until) > serverNow() ? address : undefined
  } catch {
    return undefined
  }
}
