import { useSyncExternalStore } from 'react'

/** A value outside React that components can subscribe to. */
export interface Store<T> {
  get: () => T
  set: (value: T) => void
  /** The value that pre-rendered pages show. */
  getPrerendered: () => T
  subscribe: (listener: () => void) => () => void
}

/**
 * Creates a store. Pass `prerendered` if the initial value depends on the visitor: hydration starts with the value that
 * pre-rendered pages show, then switches to the store's value.
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
