import { useEffect, useRef, useState } from 'react'

/** The loaded part of a paginated list. */
export interface PagedList<T> {
  data: readonly T[] | undefined
  hasNextPage: boolean
  /** Resolves to the list with its next page. */
  fetchNextPage: () => Promise<PagedList<T> & { isError: boolean }>
}

/** Loads all pages before it passes the list on, unless the list has changed or unmounted by then. */
export function useAllPages<T>(list: PagedList<T>, scope: string, onFailed: () => void) {
  const [reading, setReading] = useState<string>()
  const activeScope = useRef<string>(undefined)
  useEffect(() => {
    activeScope.current = scope
    return () => {
      activeScope.current = undefined
    }
  }, [scope])
  async function loadAll(onLoaded: (entries: readonly T[]) => void) {
    let now: PagedList<T> & { isError?: boolean } = list
    while (now.hasNextPage && !now.isError && activeScope.current === scope) now = await now.fetchNextPage()
    if (activeScope.current !== scope) return
    setReading(undefined)
    if (now.isError) onFailed()
    else onLoaded(now.data ?? [])
  }
  return {
    reading: reading === scope,
    read: (onLoaded: (entries: readonly T[]) => void) => {
      setReading(scope)
      void loadAll(onLoaded)
    },
  }
}
