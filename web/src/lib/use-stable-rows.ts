import { type PointerEvent, useEffect, useState } from 'react'

export interface StableRows<T> {
  rows: readonly T[]
  /** Whether a row is kept only so that the others don't move. */
  isGone: (row: T) => boolean
  /** For the list's element. */
  on: { onPointerDown: (event: PointerEvent) => void; onPointerLeave: () => void }
}

/**
 * Merges new rows into the displayed ones: those keep their places even if they are gone from `rows`, and new rows
 * follow. A list with no row in common replaces them.
 */
export function keepOrder<T>(shown: readonly T[], rows: readonly T[], idOf: (row: T) => string): readonly T[] {
  const latest = new Map(rows.map((row) => [idOf(row), row]))
  const places = new Set(shown.map(idOf))
  if (rows.length > 0 && !rows.some((row) => places.has(idOf(row)))) return rows
  return [...shown.map((row) => latest.get(idOf(row)) ?? row), ...rows.filter((row) => !places.has(idOf(row)))]
}

/**
 * Keeps a list's rows in place from a press until the pointer leaves the list, so that a second click in the same place
 * doesn't act on the next row. Input elsewhere on the page ends it too: a search shows its results even below a resting
 * pointer. Spread `on` on the list's element; disable rows for which `isGone` is true. Keyboard users don't need this,
 * because focus doesn't move to the next row.
 */
export function useStableRows<T>(rows: readonly T[], idOf: (row: T) => string): StableRows<T> {
  const [pressed, setPressed] = useState<Element>()
  const [displayed, setDisplayed] = useState(rows)
  const merged = pressed ? keepOrder(displayed, rows, idOf) : rows
  const same = merged.length === displayed.length && merged.every((row, i) => row === displayed[i])
  if (!same) setDisplayed(merged)
  useEffect(() => {
    if (!pressed) return
    const endOutside = ({ target }: Event) => {
      // A row may have opened the dialog.
      const elsewhere = target instanceof Element && !pressed.contains(target) && !target.closest('[role=dialog]')
      if (elsewhere) setPressed(undefined)
    }
    window.addEventListener('input', endOutside)
    return () => window.removeEventListener('input', endOutside)
  }, [pressed])
  const on = {
    // React also reports presses in dialogs that rows have opened.
    onPointerDown: ({ currentTarget, target }: PointerEvent) =>
      setPressed(currentTarget.contains(target as Node) ? currentTarget : undefined),
    onPointerLeave: () => setPressed(undefined),
  }
  const currentIds = new Set(rows.map(idOf))
  return { rows: same ? displayed : merged, isGone: (row: T) => !currentIds.has(idOf(row)), on }
}
