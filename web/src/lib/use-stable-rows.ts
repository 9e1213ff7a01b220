import { type PointerEvent, useState } from 'react'

/**
 * The rows to show while `shown` are on the screen: those stay where they are, also what is no longer among `rows`, and
 * new ones follow. Another list altogether takes its place.
 */
export function keepOrder<T>(shown: readonly T[], rows: readonly T[], idOf: (row: T) => string): readonly T[] {
  const latest = new Map(rows.map((row) => [idOf(row), row]))
  const places = new Set(shown.map(idOf))
  if (rows.length > 0 && !rows.some((row) => places.has(idOf(row)))) return rows
  return [...shown.map((row) => latest.get(idOf(row)) ?? row), ...rows.filter((row) => !places.has(idOf(row)))]
}

/**
 * A list whose rows stand still from a press in it until the pointer leaves it: the row that was pressed stays under the
 * pointer, so that a second click does not act on the next row. `on` goes on the list's element; a row that is gone
 * takes no clicks. The keyboard needs none of this: the focus of a row that goes does not move to the next one.
 */
export function useStableRows<T>(rows: readonly T[], idOf: (row: T) => string) {
  const [pressed, setPressed] = useState(false)
  const [shown, setShown] = useState(rows)
  const next = pressed ? keepOrder(shown, rows, idOf) : rows
  const same = next.length === shown.length && next.every((row, i) => row === shown[i])
  if (!same) setShown(next)
  const on = {
    // A press in a dialog of one of the rows comes here, too.
    onPointerDown: ({ currentTarget, target }: PointerEvent) => setPressed(currentTarget.contains(target as Node)),
    onPointerLeave: () => setPressed(false),
  }
  const here = new Set(rows.map(idOf))
  return { rows: same ? shown : next, isGone: (row: T) => !here.has(idOf(row)), on }
}
