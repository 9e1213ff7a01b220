import type { ReactNode } from 'react'

/** The list as another feature needs it to select from: what is here of it, and the way to the rest. */
interface SelectableList<T> {
  data: readonly T[] | undefined
  hasNextPage: boolean
  fetchNextPage: () => Promise<SelectableList<T> & { isError: boolean }>
}

/** What lets the visitor sell several entries of a list; another feature provides it. */
export interface SellingSlots<T> {
  /** In the place of an entry's buttons while several are selected. */
  pick: ((entry: T) => ReactNode) | undefined
  /** Above the list. `scope` says what the list is of. */
  selection: (list: SelectableList<T>, scope: string) => ReactNode
}
