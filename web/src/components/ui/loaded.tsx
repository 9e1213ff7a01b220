import type { ReactNode } from 'react'
import { ApiError } from '@/contract/error'
import { ErrorState } from './error-state'
import { InlineError } from './inline-error'

/** The part of a query's result that `Loaded` needs. */
export interface QueryState<T> {
  data: T | undefined
  error: Error | null
  refetch: () => unknown
}

interface LoadedProps<T> {
  query: QueryState<T>
  /** Title of the error; null shows nothing. */
  failed: string | null
  /** Shows the error on one line, with these classes. */
  inlineErrorClass?: string
  /** Adds the cause to a one-line error, where there is space for it. */
  withCause?: boolean
  skeleton: ReactNode
  /** Shown for an empty list. */
  empty?: ReactNode
  /** Shown for a 404. */
  unknown?: ReactNode
  children: (data: T) => ReactNode
}

/** A query's data with its loading, error and empty states. Data stays if a refetch fails. */
export function Loaded<T>({
  query,
  failed,
  inlineErrorClass,
  withCause,
  skeleton,
  empty,
  unknown,
  children,
}: LoadedProps<T>) {
  const { data, error } = query
  if (data !== undefined) {
    const isEmpty = empty !== undefined && Array.isArray(data) && data.length === 0
    return isEmpty ? empty : children(data)
  }
  if (!error) return skeleton
  if (unknown !== undefined && error instanceof ApiError && error.status === 404) return unknown
  if (failed === null) return null
  const retry = () => void query.refetch()
  if (inlineErrorClass !== undefined)
    return (
      <InlineError text={failed} error={withCause ? error : undefined} retry={retry} className={inlineErrorClass} />
    )
  return <ErrorState title={failed} error={error} retry={retry} />
}
