import { useState } from 'react'
import { useEngaged } from './use-engaged'

/**
 * The rows to show while `shown` are on the screen: those stay where they are, also what is no longer among `rows`, and
 * new ones follow. Another list altogether takes its place.
 */
export function kept<T>(shown: readonly T[], rows: readonly T[], idOf: (row: T) => string): readonly T[] {
  const latest = new Map(rows.map((row) => [idOf(row), row]))
  const places = new Set(shown.map(idOf))
  if (rows.length > 0 && !rows.some((row) => places.has(idOf(row)))) return rows
  return [...shown.map((row) => latest.get(idOf(row)) ?? row), ...rows.filter((row) => !places.has(idOf(row)))]
}

/**
 * A list whose rows stand still while somebody points at it or has the keyboard's focus in it: what was under the
 * pointer stays there, so that a second click does not act on the next row. `on` goes on the list's element; a row that
 * is gone takes no clicks.
 */
export function useStill<T>(rows: readonly T[], idOf: (row: T) => string) {
  const { engaged, on } = useEngaged()
  const [shown, setShown] = useState(rows)
  const next = engaged ? kept(shown, rows, idOf) : rows
  const same = next.length === shown.length && next.every((row, i) => row === shown[i])
  if (!same) setShown(next)
  const here = new Set(rows.map(idOf))
  return { rows: same ? shown : next, isGone: (row: T) => !here.has(idOf(row)), on }
}
