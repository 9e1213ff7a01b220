import type { ComponentProps, ReactNode } from 'react'
import { cn } from '@/lib/cn'
import { useStableRows } from '@/lib/use-stable-rows'

export interface Column<T> {
  /** Null for a column without a header. */
  head: ReactNode
  cell: (row: T, index: number) => ReactNode
  /** For the header and all cells. */
  className?: string
  /** For the cells only. */
  cellClassName?: string | ((row: T) => string | undefined)
}

interface TableProps<T> extends ComponentProps<'table'> {
  /** Accessible name, visually hidden. */
  caption?: string
  /** The first column is the row header. */
  columns: readonly Column<T>[]
  rows: readonly T[]
  idOf: (row: T) => string
  /** More padding, and a line above each row. */
  roomy?: boolean
}

/** Text cells need proportional figures: with tabular ones a hyphen looks like a dash. */
const textCellStyle = 'base:proportional-nums'

export function Table<T>({ caption, columns, rows, idOf, roomy, className, ...rest }: TableProps<T>) {
  const stable = useStableRows(rows, idOf)
  return (
    <table {...stable.on} className={cn('base:mt-3 w-full base:text-sm tabular-nums', className)} {...rest}>
      {caption && <caption className="sr-only">{caption}</caption>}
      <thead className="text-xs text-muted-foreground">
        <tr className={roomy ? '*:py-2 *:not-first:pl-4' : '*:py-1.5'}>
          {columns.map((column, at) => (
            <Head key={at} column={column} />
          ))}
        </tr>
      </thead>
      <tbody>
        {stable.rows.map((row, index) => (
          <tr
            key={idOf(row)}
            inert={stable.isGone(row)}
            className={roomy ? 'border-t *:py-2.5 *:not-first:pl-4' : '*:py-1'}
          >
            {columns.map((column, at) => (
              <Cell key={at} column={column} row={row} index={index} isHeader={at === 0} />
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
    <th scope="col" className={cn('base:text-left base:font-normal', textCellStyle, className)}>
      {head}
    </th>
  )
}

interface CellProps<T> {
  column: Column<T>
  row: T
  index: number
  isHeader: boolean
}

function Cell<T>({ column: { cell, className, cellClassName }, row, index, isHeader }: CellProps<T>) {
  const own = typeof cellClassName === 'function' ? cellClassName(row) : cellClassName
  if (!isHeader) return <td className={cn(className, own)}>{cell(row, index)}</td>
  return (
    <th scope="row" className={cn('base:text-left base:font-medium', textCellStyle, className, own)}>
      {cell(row, index)}
    </th>
  )
}
