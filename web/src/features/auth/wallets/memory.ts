import { walletAddressKey } from '@/lib/wallet-address'
import { phantomId } from './wallet'

const connectedKey = 'wallet:connected'
const nameKey = 'wallet:name'

/** The last connected wallet. Requests send its address in a header while it is stored. */
export interface WalletMemory {
  isSet: () => boolean
  /** The wallet's id; Phantom if none is stored. */
  id: () => string
  set: (id: string, address: string) => void
  clear: () => void
}

export function createWalletMemory(storage: Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>): WalletMemory {
  return {
    isSet: () => storage.getItem(connectedKey) === 'true',
    id: () => storage.getItem(nameKey) ?? phantomId,
    set(id, address) {
      storage.setItem(walletAddressKey, address)
      storage.setItem(connectedKey, 'true')
      storage.setItem(nameKey, id)
    },
    clear() {
      for (const key of [walletAddressKey, connectedKey, nameKey]) storage.removeItem(key)
    },
  }
}
