import type { ComponentProps, ReactNode } from 'react'
import { cn } from '@/lib/cn'
import { useStableRows } from '@/lib/use-stable-rows'

export interface Column<T> {
  /** Null above what speaks for itself. */
  head: ReactNode
  cell: (row: T, index: number) => ReactNode
  /** Of the head and every cell. */
  className?: string
  /** Of the cells alone. */
  cellClassName?: string | ((row: T) => string | undefined)
}

interface TableProps<T> extends ComponentProps<'table'> {
  /** Said to who cannot see what the table is about. */
  caption?: string
  /** The first names its row. */
  columns: readonly Column<T>[]
  rows: readonly T[]
  idOf: (row: T) => string
  /** Room about the cells, and a line above each row. */
  roomy?: boolean
}

/** The tabular hyphen is as wide as a digit: in words it looks like a dash between spaces. */
const textCellStyle = 'proportional-nums'

/** Rows of figures. */
export function Table<T>({ caption, columns, rows, idOf, roomy, className, ...rest }: TableProps<T>) {
  const still = useStableRows(rows, idOf)
  return (
    <table {...still.on} className={cn('mt-3 w-full text-sm tabular-nums', className)} {...rest}>
      {caption && <caption className="sr-only">{caption}</caption>}
      <thead className="text-xs text-muted-foreground">
        <tr className={roomy ? '*:py-2 *:not-first:pl-4' : '*:py-1.5'}>
          {columns.map((column, at) => (
            <Head key={at} column={column} />
          ))}
        </tr>
      </thead>
      <tbody>
        {still.rows.map((row, index) => (
          <tr
            key={idOf(row)}
            inert={still.isGone(row)}
            className={roomy ? 'border-t *:py-2.5 *:not-first:pl-4' : '*:py-1'}
          >
            {columns.map((column, at) => (
              <Cell key={at} column={column} row={row} index={index} names={at === 0} />
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  )
}

function Head<T>({ column: { head, className } }: { column: Column<T> }) {
  if (head === null) return <td className={className} />
  return (
    <th scope="col" className={cn('text-left font-normal', textCellStyle, className)}>
      {head}
    </th>
  )
}

interface CellProps<T> {
  column: Column<T>
  row: T
  index: number
  names: boolean
}

function Cell<T>({ column: { cell, className, cellClassName }, row, index, names }: CellProps<T>) {
  const own = typeof cellClassName === 'function' ? cellClassName(row) : cellClassName
  if (!names) return <td className={cn(className, own)}>{cell(row, index)}</td>
  return (
    <th scope="row" className={cn('text-left font-medium', textCellStyle, className, own)}>
      {cell(row, index)}
    </th>
  )
}
