import { useSyncExternalStore } from 'react'

/** One value outside React that components can watch. */
export interface Store<T> {
  get: () => T
  set: (value: T) => void
  /** The value that pre-rendered pages show. */
  getPrerendered: () => T
  subscribe: (listener: () => void) => () => void
}

/**
 * A store. `prerendered` is needed where the first value depends on the visitor: hydration starts with what the
 * pre-rendered page shows, and then shows the store's value.
 */
export function createStore<T>(initial: T, prerendered?: T): Store<T> {
  let current = initial
  const listeners = new Set<() => void>()
  return {
    get: () => current,
    getPrerendered: () => prerendered ?? current,
    set(value) {
      if (Object.is(value, current)) return
      current = value
      for (const listener of listeners) listener()
    },
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}

export function useStore<T>(store: Store<T>): T {
  return useSyncExternalStore(store.subscribe, store.get, store.getPrerendered)
}
