import { createStore, type Store } from '@/lib/store'
import type { WalletDirectory } from './directory'

/** The wallets of this browser, whose code comes when one is wanted: that of the last visit, or one to choose. */
export interface LazyDirectory extends Pick<WalletDirectory, 'recall' | 'choose'> {
  /** Undefined until somebody wanted it and it came. */
  here: Store<WalletDirectory | undefined>
  /** Brings it; rejects if its code cannot be had, and tries again the next time. */
  wanted: () => Promise<WalletDirectory>
  /** Ends the watch over wallets that come and go, if it has begun. */
  stop: () => void
}

export function createLazyDirectory(options: { sandbox: boolean }): LazyDirectory {
  const here = createStore<WalletDirectory | undefined>(undefined)
  let asked: Promise<WalletDirectory> | undefined
  let stop = () => {}

  async function begin(): Promise<WalletDirectory> {
    const { createDirectory } = await import('./directory')
    const directory = createDirectory(options)
    stop = directory.start()
    here.set(directory)
    return directory
  }

  function wanted(): Promise<WalletDirectory> {
    asked ??= begin().catch((error: unknown) => {
      asked = undefined
      throw error
    })
    return asked
  }

  return {
    here,
    wanted,
    recall: async (id) => (await wanted()).recall(id),
    choose: async (id) => (await wanted()).choose(id),
    stop: () => stop(),
  }
}
