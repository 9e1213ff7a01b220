import type { ReactNode } from 'react'
import { useStableRows } from '@/lib/use-stable-rows'

interface StableListProps<T> {
  rows: readonly T[]
  idOf: (row: T) => string
  className: string
  rowClassName?: string
  children: (row: T) => ReactNode
}

/** Rows with actions: none moves under the pointer of somebody who is about to press again. */
export function StableList<T>({ rows, idOf, className, rowClassName, children }: StableListProps<T>) {
  const still = useStableRows(rows, idOf)
  return (
    <ul className={className} {...still.on}>
      {still.rows.map((row) => (
        <li key={idOf(row)} inert={still.isGone(row)} className={rowClassName}>
          {children(row)}
        </li>
      ))}
    </ul>
  )
}
