import type { ReactNode } from 'react'

export interface EndlessGridProps<T> {
  list: {
    data: readonly T[]
    hasNextPage: boolean
    isFetching: boolean
    isFetchNextPageError: boolean
    error: Error | null
    fetchNextPage: () => Promise<unknown>
  }
  /** Accessible name. */
  label: string
  /** Title of the error if the next page fails to load. */
  failed: string
  /** Column classes, such as `grid-cols-2 xl:grid-cols-4`. */
  columns: string
  /** Pixels between cards; default `gridGap`. */
  gap?: number
  /** Placeholder for a card that is loading. */
  skeleton: ReactNode
  idOf: (entry: T) => string
  /** Whether a removed entry is kept only so that the others don't move. */
  isGone: (entry: T) => boolean
  children: (entry: T) => ReactNode
}

/** Pixels between cards. */
export const gridGap = 20

/** The rendered rows of a virtualized grid. */
export interface GridRange {
  /** Index of the first entry; `to` is exclusive. */
  from: number
  to: number
  perRow: number
  /** Padding in pixels for the rows before and after. */
  before: number
  after: number
  /** Ref of each row's first entry, whose data-index is the row. */
  measure: (entry: Element | null) => void
}
