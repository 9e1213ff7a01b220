import { walletOnBreak } from '@/lib/wallet-break'
import { newPasskeyId, passkeyId } from '../wallets/wallet'
import { passkeyMemory } from './memory'

/**
 * The entries of the passkey wallet in the list. While this browser's last wallet is on a break there are none, so that
 * nobody goes on with another wallet. If that wallet is a passkey's, its owner can still sign in to sell and ship.
 */
export function passkeyEntries(): readonly { id: string; icon: null }[] {
  const paused = walletOnBreak()
  const use = { id: passkeyId, icon: null }
  if (!paused) return [use, { id: newPasskeyId, icon: null }]
  return passkeyMemory.idOf(paused) ? [use] : []
}
