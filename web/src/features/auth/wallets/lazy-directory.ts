import { createStore, type Store } from '@/lib/store'
import type { DirectoryOptions, WalletDirectory } from './directory'

/** The wallet directory, with its code loaded on first use. */
export interface LazyDirectory extends Pick<WalletDirectory, 'recall' | 'choose'> {
  /** Undefined until it is loaded. */
  loaded: Store<WalletDirectory | undefined>
  /** Loads it. After a rejection the next call tries again. */
  load: () => Promise<WalletDirectory>
  /** Stops watching for wallets. */
  stop: () => void
}

export function createLazyDirectory(options: DirectoryOptions): LazyDirectory {
  const loaded = createStore<WalletDirectory | undefined>(undefined)
  let loading: Promise<WalletDirectory> | undefined
  let stop = () => {}

  async function importDirectory(): Promise<WalletDirectory> {
    const { createDirectory } = await import('./directory')
    const directory = createDirectory(options)
    stop = directory.start()
    loaded.set(directory)
    return directory
  }

  function load(): Promise<WalletDirectory> {
    loading ??= importDirectory().catch((error: unknown) => {
      loading = undefined
      throw error
    })
    return loading
  }

  return {
    loaded,
    load,
    recall: async (id) => (await load()).recall(id),
    choose: async (id) => (await load()).choose(id),
    stop: () => stop(),
  }
}
