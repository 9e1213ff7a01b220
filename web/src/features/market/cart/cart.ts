import { useCallback, useSyncExternalStore } from 'react'
import type { ShownItem } from '@/components/shown-item'
import { terms } from '@/lib/config'
import { useSession } from '@/lib/session'
import { localStore } from '@/lib/storage'

/** A listing that somebody wants to buy, and the price that they saw. */
export interface CartLine {
  inventoryId: string
  priceCents: number
  item: Pick<ShownItem, 'name' | 'imageUrl' | 'rarity' | 'grade' | 'series'>
}

interface Cart {
  lines: readonly CartLine[]
  /** Puts lines in that are not there yet, as many as there is room for, and says how many these were. */
  add: (lines: readonly CartLine[]) => number
  remove: (ids: readonly string[]) => void
  /** Agrees to another price. */
  reprice: (inventoryId: string, priceCents: number) => void
}

const empty: readonly CartLine[] = []
const listeners = new Set<() => void>()
let kept: { place: string; text: string; lines: readonly CartLine[] } | undefined

/** The visitor's cart, kept in this browser beside their address; the same in all of its tabs. */
export function useCart(): Cart {
  const { address } = useSession()
  const place = address ? `cart:${address}` : ''
  const lines = useSyncExternalStore(
    subscribe,
    useCallback(() => read(place), [place]),
    () => empty,
  )
  return {
    lines,
    add: (wanted) => {
      const before = read(place)
      const more = wanted
        .filter(({ inventoryId }) => before.every((line) => line.inventoryId !== inventoryId))
        .slice(0, terms.mostInCart - before.length)
      write(place, [...before, ...more])
      return more.length
    },
    remove: (ids) =>
      write(
        place,
        read(place).filter(({ inventoryId }) => !ids.includes(inventoryId)),
      ),
    reprice: (inventoryId, priceCents) =>
      write(
        place,
        read(place).map((line) => (line.inventoryId === inventoryId ? { ...line, priceCents } : line)),
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

/** The same lines as long as the same is written there. */
function read(place: string): readonly CartLine[] {
  const text = (place && localStore.getItem(place)) || ''
  if (kept?.place !== place || kept.text !== text) kept = { place, text, lines: parse(text) }
  return kept.lines
}

function write(place: string, lines: readonly CartLine[]): void {
  if (place === '') return
  localStore.setItem(place, JSON.stringify(lines))
  for (const listener of listeners) listener()
}

/** Whatever else may stand there is no cart. */
function parse(text: string): readonly CartLine[] {
  try {
    const written: unknown = JSON.parse(text)
    return Array.isArray(written) ? written.filter(isLine).slice(0, terms.mostInCart) : empty
  } catch {
    return empty
  }
}

function isLine(line: unknown): line is CartLine {
  const { inventoryId, priceCents, item } = (line ?? {}) as Partial<CartLine>
  return typeof inventoryId === 'string' && Number.isSafeInteger(priceCents) && typeof item?.name === 'string'
}
