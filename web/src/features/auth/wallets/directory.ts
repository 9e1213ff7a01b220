import { getWallets } from '@wallet-standard/app'
import type { Wallet as StandardWallet } from '@wallet-standard/base'
import { createStore, type Store } from '@/lib/store'
import { canMakeDemoWallet, demoWallet } from './demo'
import { injectedPhantom, isPhantomPresent, isPhantomReady } from './phantom'
import { fromStandard } from './standard'
import { pause, poll } from './wait'
import { WalletError, phantomId, type Wallet } from './wallet'

const interval = 200
const triesOnLoad = 50 // 10 s
const pauseBeforePolling = 500
const triesOnConnect = 25 // 5 s

/** The wallets of this browser. */
export interface WalletDirectory {
  /** Those that can be asked to connect now. */
  list: Store<readonly Wallet[]>
  /** Keeps the list true as wallets come and go; Phantom's provider is looked for during 10 s. */
  start: () => () => void
  /** Gives a wallet remembered from an earlier visit; it may come up to 10 s after the page. */
  recall: (id: string) => Promise<Wallet | undefined>
  /** Gives a wallet the person chose; Phantom, if it has shown itself, gets 5 s to become ready. */
  choose: (id: string) => Promise<Wallet>
}

export function createDirectory({ sandbox }: { sandbox: boolean }): WalletDirectory {
  const standard = getWallets()
  const adapted = new Map<StandardWallet, Wallet | null>()
  const list = createStore<readonly Wallet[]>([])

  function adapt(wallet: StandardWallet): Wallet[] {
    const known = adapted.get(wallet)
    const own = known === undefined ? named(fromStandard(wallet)) : known
    adapted.set(wallet, own)
    return own ? [own] : []
  }

  /** Two wallets with the same name are two entries. */
  function named(wallet: Wallet | null): Wallet | null {
    const taken = [...adapted.values()].map((other) => other?.id)
    if (!wallet || !taken.includes(wallet.id)) return wallet
    let count = 2
    while (taken.includes(`${wallet.id} (${count})`)) count += 1
    return { ...wallet, id: `${wallet.id} (${count})` }
  }

  function look(): readonly Wallet[] {
    const all = standard.get()
    for (const gone of [...adapted.keys()].filter((wallet) => !all.includes(wallet))) adapted.delete(gone)
    const found = all.flatMap(adapt)
    // Phantom registers both ways; the standard one brings its icon and the newer calls.
    if (isPhantomReady() && !found.some(({ id }) => id === phantomId)) found.unshift(injectedPhantom)
    if (sandbox && canMakeDemoWallet()) found.push(demoWallet)
    if (!sameWallets(found, list.get())) list.set(found)
    return list.get()
  }

  const find = (id: string) => look().find((wallet) => wallet.id === id)

  async function choose(id: string): Promise<Wallet> {
    const found = find(id)
    if (found) return found
    if (id !== phantomId || !isPhantomPresent()) throw new WalletError('not-found')
    await pause(pauseBeforePolling)
    const late = await poll(() => find(id), interval, triesOnConnect)
    if (!late) throw new WalletError('not-ready')
    return late
  }

  return {
    list,
    start() {
      const off = [standard.on('register', look), standard.on('unregister', look)]
      void poll(() => (find(phantomId) ? true : undefined), interval, triesOnLoad)
      return () => {
        for (const stop of off) stop()
      }
    },
    recall: (id) => poll(() => find(id), interval, triesOnLoad),
    choose,
  }
}

function sameWallets(a: readonly Wallet[], b: readonly Wallet[]): boolean {
  return a.length === b.length && a.every((wallet, index) => wallet === b[index])
}
