import { useCallback, useSyncExternalStore } from 'react'
import type { ShownItem } from '@/components/shown-item'
import { terms } from '@/lib/config'
import { useSession } from '@/lib/session'
import { localStore } from '@/lib/storage'

/** A listing in the cart, with the price at which it was added. */
export interface CartItem {
  inventoryId: string
  priceCents: number
  item: Pick<ShownItem, 'name' | 'imageUrl' | 'rarity' | 'grade' | 'series'>
}

interface Cart {
  lines: readonly CartItem[]
  /** Adds lines that aren't in the cart yet while there is room. Returns how many were added. */
  add: (lines: readonly CartItem[]) => number
  remove: (ids: readonly string[]) => void
  reprice: (inventoryId: string, priceCents: number) => void
}

const empty: readonly CartItem[] = []
const listeners = new Set<() => void>()
let cache: { key: string; text: string; lines: readonly CartItem[] } | undefined

/** The user's cart. Local storage holds it per wallet address, shared by all tabs. */
export function useCart(): Cart {
  const { address } = useSession()
  const key = address ? `cart:${address}` : ''
  const lines = useSyncExternalStore(
    subscribe,
    useCallback(() => read(key), [key]),
    () => empty,
  )
  return {
    lines,
    add: (items) => {
      const before = read(key)
      const added = items
        .filter(({ inventoryId }) => before.every((line) => line.inventoryId !== inventoryId))
        .slice(0, terms.mostInCart - before.length)
      write(key, [...before, ...added])
      return added.length
    },
    remove: (ids) =>
      write(
        key,
        read(key).filter(({ inventoryId }) => !ids.includes(inventoryId)),
      ),
    reprice: (inventoryId, priceCents) =>
      write(
        key,
        read(key).map((line) => (line.inventoryId === inventoryId ? { ...line, priceCents } : line)),
      ),
  }
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  window.addEventListener('storage', listener)
  return () => {
    listeners.delete(listener)
    window.removeEventListener('storage', listener)
  }
}

/** Returns the same array while the stored text is unchanged, as useSyncExternalStore requires. */
function read(key: string): readonly CartItem[] {
  const text = (key && localStore.getItem(key)) || ''
  if (cache?.key !== key || cache.text !== text) cache = { key, text, lines: parse(text) }
  return cache.lines
}

function write(key: string, lines: readonly CartItem[]): void {
  if (key === '') return
  localStore.setItem(key, JSON.stringify(lines))
  for (const listener of listeners) listener()
}

/** Drops anything that isn't a valid line. */
function parse(text: string): readonly CartItem[] {
  try {
    const stored: unknown = JSON.parse(text)
    return Array.isArray(stored) ? stored.filter(isLine).slice(0, terms.mostInCart) : empty
  } catch {
    return empty
  }
}

function isLine(line: unknown): line is CartItem {
  const { inventoryId, priceCents, item } = (line ?? {}) as Partial<CartItem>
  return typeof inventoryId === 'string' && Number.isSafeInteger(priceCents) && typeof item?.name === 'string'
}
