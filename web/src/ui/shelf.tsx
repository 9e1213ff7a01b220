import { SearchX } from 'lucide-react'
import type { ReactNode } from 'react'
import { cn } from '@/lib/cn'
import { Button } from './button'
import { EmptyState } from './empty-state'
import { EndlessGrid } from './endless-grid'
import { ErrorState } from './error-state'
import type { EndlessGridProps } from './grid-props'
import { ShelfCardSkeleton, shelfColumns, ShelfSkeleton } from './shelf-skeleton'

interface ShelfProps<T> extends Pick<EndlessGridProps<T>, 'label' | 'failed' | 'idOf' | 'children'> {
  /** What has been fetched; while a changed filter is asked for, what was there before. */
  list: Omit<EndlessGridProps<T>['list'], 'data'> & {
    data: readonly T[] | undefined
    isLoadingError: boolean
    isPlaceholderData: boolean
    refetch: () => Promise<unknown>
  }
  /** Shown where a filter lets nothing pass; without a filter that is `empty`'s part. */
  noMatch: { title: string; text: string; clear: string; onClear: () => void } | undefined
  empty: ReactNode
}

/** A filtered list of items in all its states. */
export function Shelf<T>({ list, label, failed, idOf, children, noMatch, empty }: ShelfProps<T>) {
  const { data } = list
  if (list.isLoadingError) return <ErrorState title={failed} error={list.error} retry={() => void list.refetch()} />
  if (!data) return <ShelfSkeleton />
  return (
    <div
      aria-busy={list.isPlaceholderData}
      className={cn('transition-opacity', list.isPlaceholderData && 'opacity-60')}
    >
      {data.length > 0 ? (
        <EndlessGrid
          list={{ ...list, data }}
          label={label}
          failed={failed}
          columns={shelfColumns}
          skeleton={<ShelfCardSkeleton />}
          idOf={idOf}
        >
          {children}
        </EndlessGrid>
      ) : noMatch ? (
        <EmptyState
          icon={<SearchX />}
          title={noMatch.title}
          text={noMatch.text}
          action={<Button onClick={noMatch.onClear}>{noMatch.clear}</Button>}
          className="panel rounded-2xl"
        />
      ) : (
        empty
      )}
    </div>
  )
}
