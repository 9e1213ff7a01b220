import type { ReactNode } from 'react'
import { cn } from '@/lib/cn'
import { type QueryState, Loaded } from './loaded'
import { Skeleton } from './skeleton'

interface TilesProps {
  query: QueryState<unknown>
  failed: string
  /** Column classes, such as `grid-cols-3`. */
  columns: string
  /** An undefined value shows a skeleton. */
  tiles: readonly { label: string; value: ReactNode }[]
}

/** Large figures in a row. */
export function Tiles({ query, failed, columns, tiles }: TilesProps) {
  const grid = (
    <dl className={cn('grid gap-4', columns)}>
      {tiles.map(({ label, value }) => (
        <div key={label} className="panel rounded-2xl px-5 py-4">
          <dt className="text-sm text-muted-foreground">{label}</dt>
          <dd className="mt-1 text-2xl font-semibold tracking-tight tabular-nums">
            {value ?? <Skeleton className="my-1 h-7 w-20" />}
          </dd>
        </div>
      ))}
    </dl>
  )
  return (
    <Loaded query={query} failed={failed} inlineErrorClass="panel rounded-2xl px-5 py-4" withCause skeleton={grid}>
      {() => grid}
    </Loaded>
  )
}
