/** The part of Storage that the app uses. */
export interface SafeStorage {
  getItem: (key: string) => string | null
  setItem: (key: string, value: string) => void
  removeItem: (key: string) => void
  keys: () => string[]
}

/**
 * Browser storage that never throws. It throws if cookies are blocked or it is full; then values are kept in memory until
 * the page is left.
 */
function safely(open: () => Storage): SafeStorage {
  const memory = new Map<string, string>()
  function attempt<T>(act: (storage: Storage) => T, fallback: T): T {
    try {
      return act(open())
    } catch {
      return fallback
    }
  }
  return {
    getItem: (key) => memory.get(key) ?? attempt((storage) => storage.getItem(key), null),
    setItem(key, value) {
      memory.set(key, value)
      const written = attempt((storage) => {
        storage.setItem(key, value)
        return true
      }, false)
      if (written) memory.delete(key)
    },
    removeItem(key) {
      memory.delete(key)
      attempt((storage) => storage.removeItem(key), undefined)
    },
    keys: () => [...new Set([...memory.keys(), ...attempt((storage) => Object.keys(storage), [])])],
  }
}

// A function, because even reading `localStorage` can throw.
/* oxlint-disable no-restricted-globals -- the one place that uses them */
export const localStore = safely(() => localStorage)
export const sessionStore = safely(() => sessionStorage)
