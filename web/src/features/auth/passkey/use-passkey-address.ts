import { useSession } from '@/lib/session'
import { passkeyMemory } from './memory'

/** The signed-in wallet's address, if its key comes from a passkey that was used in this browser. */
export function usePasskeyAddress(): string | undefined {
  const { user, walletMismatch } = useSession()
  return user && !walletMismatch && passkeyMemory.idOf(user.walletAddress) ? user.walletAddress : undefined
}
