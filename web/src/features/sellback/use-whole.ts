import { useEffect, useRef, useState } from 'react'

/** As much of a list as is here, and the way to the rest. */
export interface List<T> {
  data: readonly T[] | undefined
  hasNextPage: boolean
  /** Gives the list with its next page. */
  fetchNextPage: () => Promise<List<T> & { isError: boolean }>
}

/** Reads a list to its end before it hands it on. Nothing is handed on once the list is another one, or gone. */
export function useWhole<T>(list: List<T>, scope: string, onFailed: () => void) {
  const [reading, setReading] = useState<string>()
  const current = useRef<string>(undefined)
  useEffect(() => {
    current.current = scope
    return () => {
      current.current = undefined
    }
  }, [scope])
  async function readOn(handOn: (entries: readonly T[]) => void) {
    let now: List<T> & { isError?: boolean } = list
    while (now.hasNextPage && !now.isError && current.current === scope) now = await now.fetchNextPage()
    if (current.current !== scope) return
    setReading(undefined)
    if (now.isError) onFailed()
    else handOn(now.data ?? [])
  }
  return {
    reading: reading === scope,
    read: (handOn: (entries: readonly T[]) => void) => {
      setReading(scope)
      void readOn(handOn)
    },
  }
}
