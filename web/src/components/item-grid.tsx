import { Search } from 'lucide-react'
import { Button } from '@/components/ui/button'
import { EmptyState } from '@/components/ui/empty-state'
import { LoadedGrid, type LoadedGridProps } from '@/components/ui/loaded-grid'
import { ItemCardSkeleton } from './item-card'

interface ItemGridProps<T> extends Omit<LoadedGridProps<T>, 'columns' | 'skeleton' | 'skeletonCount'> {
  /** Shown if the filter matches nothing. Without a filter, `empty` is shown. */
  noMatch: { title: string; text: string; clear: string; onClear: () => void } | undefined
}

/** A filtered grid of items, used by marketplace and vault. */
export function ItemGrid<T>({ noMatch, empty, ...list }: ItemGridProps<T>) {
  return (
    <LoadedGrid
      {...list}
      columns="grid-cols-2 lg:grid-cols-4"
      skeleton={<ItemCardSkeleton />}
      empty={
        noMatch ? (
          <EmptyState
            icon={<Search />}
            title={noMatch.title}
            text={noMatch.text}
            action={<Button onClick={noMatch.onClear}>{noMatch.clear}</Button>}
            className="panel rounded-2xl"
          />
        ) : (
          empty
        )
      }
    />
  )
}
