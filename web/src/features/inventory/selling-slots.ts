import type { ReactNode } from 'react'

/** The loaded part of a paginated list. */
interface SelectableList<T> {
  data: readonly T[] | undefined
  hasNextPage: boolean
  fetchNextPage: () => Promise<SelectableList<T> & { isError: boolean }>
}

/** Selection mode, provided by another feature. */
export interface SellingSlots<T> {
  /** Replaces an entry's buttons in selection mode. */
  pick: ((entry: T) => ReactNode) | undefined
  /** Shown above the list. `scope` identifies the list. */
  selection: (list: SelectableList<T>, scope: string) => ReactNode
}
