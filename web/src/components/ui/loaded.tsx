import type { ReactNode } from 'react'
import { ApiError } from '@/contract/error'
import { ErrorState } from './error-state'
import { InlineError } from './inline-error'

/** What is asked of the server, whole or a page at a time. */
export interface QueryState<T> {
  data: T | undefined
  error: Error | null
  refetch: () => unknown
}

interface LoadedProps<T> {
  query: QueryState<T>
  /** What to say where it cannot be had; with null the page goes without. */
  failed: string | null
  /** Says so in one line of this look, where a large error would push away what is there. */
  line?: string
  /** The shape of what is coming. */
  skeleton: ReactNode
  /** In the place of a list without entries. */
  empty?: ReactNode
  /** In the place of what does not exist (404). */
  unknown?: ReactNode
  children: (data: T) => ReactNode
}

/** What has been asked for, in all its states. What is there once stays, whatever becomes of asking again. */
export function Loaded<T>({ query, failed, line, skeleton, empty, unknown, children }: LoadedProps<T>) {
  const { data, error } = query
  if (data !== undefined) {
    const bare = empty !== undefined && Array.isArray(data) && data.length === 0
    return bare ? empty : children(data)
  }
  if (!error) return skeleton
  if (unknown !== undefined && error instanceof ApiError && error.status === 404) return unknown
  if (failed === null) return null
  const retry = () => void query.refetch()
  if (line !== undefined) return <InlineError text={failed} retry={retry} className={line} />
  return <ErrorState title={failed} error={error} retry={retry} />
}
