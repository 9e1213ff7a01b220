import { getWallets } from '@wallet-standard/app'
import type { Wallet as StandardWallet } from '@wallet-standard/base'
import { createStore, type Store } from '@/lib/store'
import { canMakeDemoWallet, demoWallet } from './demo'
import { injectedPhantom, isPhantomPresent, isPhantomReady } from './phantom'
import { fromStandard } from './standard'
import { pause, pollUntilFound } from './wait'
import { WalletError, newPasskeyId, passkeyId, phantomId, type Wallet } from './wallet'

const intervalMs = 200
const triesOnLoad = 50 // 10 s
const pauseBeforePollingMs = 500
const triesOnConnect = 25 // 5 s

export interface DirectoryOptions {
  /** Whether to offer the demo wallet. */
  sandbox: boolean
  /** Whether to offer passkey wallets, where the browser supports them. */
  passkeys?: boolean
}

/** The wallets of this browser. */
export interface WalletDirectory {
  /** Wallets that can connect now. */
  list: Store<readonly Wallet[]>
  /** Updates the list as wallets register; polls for Phantom's provider for 10 s. Returns a cleanup function. */
  start: () => () => void
  /** Finds an earlier visit's wallet, waiting up to 10 s for it to appear. */
  recall: (id: string) => Promise<Wallet | undefined>
  /** Finds a wallet the user chose. Phantom, if present, gets 5 s to become ready. */
  choose: (id: string) => Promise<Wallet>
}

export function createDirectory({ sandbox, passkeys = false }: DirectoryOptions): WalletDirectory {
  const standard = getWallets()
  // Without its code the list offers the other wallets.
  if (passkeys) import('../passkey/wallet').then(({ registerPasskeyWallet }) => registerPasskeyWallet()).catch(() => {})
  const adapted = new Map<StandardWallet, Wallet | null>()
  const list = createStore<readonly Wallet[]>([])

  function adapt(wallet: StandardWallet): Wallet[] {
    const known = adapted.get(wallet)
    const own = known === undefined ? withUniqueId(fromStandard(wallet)) : known
    adapted.set(wallet, own)
    return own ? [own] : []
  }

  /** Numbers wallets with the same name. */
  function withUniqueId(wallet: Wallet | null): Wallet | null {
    const taken = [...adapted.values()].map((other) => other?.id)
    if (!wallet || !taken.includes(wallet.id)) return wallet
    let count = 2
    while (taken.includes(`${wallet.id} (${count})`)) count += 1
    return { ...wallet, id: `${wallet.id} (${count})` }
  }

  function refresh(): readonly Wallet[] {
    const all = standard.get()
    for (const gone of [...adapted.keys()].filter((wallet) => !all.includes(wallet))) adapted.delete(gone)
    const found = all.flatMap(adapt)
    // Phantom registers both ways; prefer the standard one, which has an icon and newer methods.
    if (isPhantomReady() && !found.some(({ id }) => id === phantomId)) found.unshift(injectedPhantom)
    // Installed wallets first.
    found.sort((a, b) => Number(a.create !== undefined) - Number(b.create !== undefined))
    if (sandbox && canMakeDemoWallet()) found.push(demoWallet)
    if (!sameWallets(found, list.get())) list.set(found)
    return list.get()
  }

  const find = (id: string) => refresh().find((wallet) => wallet.id === id)

  /** The passkey wallet, which creates a passkey when it connects. */
  function newPasskey(): Wallet {
    const found = find(passkeyId)
    if (!found?.create) throw new WalletError('not-found')
    return { ...found, connect: found.create }
  }

  async function choose(id: string): Promise<Wallet> {
    if (id === newPasskeyId) return newPasskey()
    const found = find(id)
    if (found) return found
    if (id !== phantomId || !isPhantomPresent()) throw new WalletError('not-found')
    await pause(pauseBeforePollingMs)
    const late = await pollUntilFound(() => find(id), intervalMs, triesOnConnect)
    if (!late) throw new WalletError('not-ready')
    return late
  }

  return {
    list,
    start() {
      const off = [standard.on('register', refresh), standard.on('unregister', refresh)]
      void pollUntilFound(() => (find(phantomId) ? true : undefined), intervalMs, triesOnLoad)
      return () => {
        for (const stop of off) stop()
      }
    },
    recall: (id) => pollUntilFound(() => find(id), intervalMs, triesOnLoad),
    choose,
  }
}

function sameWallets(a: readonly Wallet[], b: readonly Wallet[]): boolean {
  return a.length === b.length && a.every((wallet, index) => wallet === b[index])
}
