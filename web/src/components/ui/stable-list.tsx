import type { ReactNode } from 'react'
import { useStableRows } from '@/lib/use-stable-rows'

interface StableListProps<T> {
  rows: readonly T[]
  idOf: (row: T) => string
  className: string
  rowClassName?: string
  children: (row: T) => ReactNode
}

/** A list whose rows don't move while the pointer is over it, so that a second click hits the same row. */
export function StableList<T>({ rows, idOf, className, rowClassName, children }: StableListProps<T>) {
  const stable = useStableRows(rows, idOf)
  return (
    <ul className={className} {...stable.on}>
      {stable.rows.map((row) => (
        <li key={idOf(row)} inert={stable.isGone(row)} className={rowClassName}>
          {children(row)}
        </li>
      ))}
    </ul>
  )
}
