import type { ReactNode } from 'react'
import { useStableRows } from '@/lib/use-stable-rows'

interface StillListProps<T> {
  rows: readonly T[]
  idOf: (row: T) => string
  className: string
  rowClassName?: string
  children: (row: T) => ReactNode
}

/** Rows with actions: none moves under the pointer of somebody who is about to press again. */
export function StillList<T>({ rows, idOf, className, rowClassName, children }: StillListProps<T>) {
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
