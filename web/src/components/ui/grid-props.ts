import type { ReactNode } from 'react'

export interface EndlessGridProps<T> {
  /** What has been fetched so far, and the way to more of it. */
  list: {
    data: readonly T[]
    hasNextPage: boolean
    isFetching: boolean
    isFetchNextPageError: boolean
    error: Error | null
    fetchNextPage: () => Promise<unknown>
  }
  /** Said to who cannot see the grid. */
  label: string
  /** The title above a further page that cannot be had. */
  failed: string
  /** The grid's columns, such as `grid-cols-2 xl:grid-cols-4`. */
  columns: string
  /** Pixels between cards; as `gridGap` without it. */
  gap?: number
  /** A card's place while it is on its way. */
  skeleton: ReactNode
  idOf: (entry: T) => string
  /** Whether an entry is shown only so that the others keep their places. */
  isGone: (entry: T) => boolean
  children: (entry: T) => ReactNode
}

/** Pixels between cards. */
export const gridGap = 20

/** The rows of a long grid that are on the page. */
export interface GridRange {
  /** The first entry, and the one after the last. */
  from: number
  to: number
  perRow: number
  /** Pixels kept free for the rows before and after. */
  before: number
  after: number
  /** Measures a row by its first entry, which has the row's number as data-index. */
  measure: (entry: Element | null) => void
}
