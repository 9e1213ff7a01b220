import { localStore } from '@/lib/storage'

/** Local storage key of what this browser knows about passkey wallets. It holds no secret. */
export const passkeyStorageKey = 'passkey-wallets'

/** A passkey that was used here. */
interface KnownPasskey {
  /** Base64url of the credential id */
  id: string
  /** The wallet's address; empty if the passkey was created, but not used yet. */
  address: string
}

interface StoredPasskeys {
  /** The address that was used last; empty if none was. */
  last: string
  /** Whether a page may have the address without asking, until the wallet disconnects. */
  connected: boolean
  known: KnownPasskey[]
}

const maxKnown = 50

function load(): StoredPasskeys {
  try {
    const {
      last = '',
      connected = false,
      known = [],
    } = JSON.parse(localStore.getItem(passkeyStorageKey) ?? '{}') as Partial<StoredPasskeys>
    return { last, connected, known }
  } catch {
    return { last: '', connected: false, known: [] }
  }
}

const save = (changed: Partial<StoredPasskeys>) =>
  localStore.setItem(passkeyStorageKey, JSON.stringify({ ...load(), ...changed }))

const without = (id: string) => load().known.filter((passkey) => passkey.id !== id)

/** The passkey wallets of this browser: ids and addresses, which are public. */
export const passkeyMemory = {
  load,
  /** The passkey of an address, if it was used here. */
  idOf: (address: string) => load().known.find((passkey) => passkey.address === address)?.id,
  remember(id: string, address: string) {
    save({ known: [{ id, address }, ...without(id)].slice(0, maxKnown) })
  },
  forget: (id: string) => save({ known: without(id) }),
  connect: (address: string) => save({ last: address, connected: true }),
  disconnect: () => save({ connected: false }),
}
