import { cn } from '@/lib/cn'
import { Skeleton } from './skeleton'

const cards = 8

/** The marketplace's and the vault's columns. */
export const shelfColumns = 'grid-cols-2 lg:grid-cols-4'

/** The shape of their grid: eight cards. */
export function ShelfSkeleton() {
  return (
    <div className={cn('grid gap-5', shelfColumns)}>
      {Array.from({ length: cards }, (_, index) => (
        <ShelfCardSkeleton key={index} />
      ))}
    </div>
  )
}

export function ShelfCardSkeleton() {
  return (
    <div data-testid="shelf-skeleton" className="panel rounded-2xl p-4">
      <Skeleton className="mx-auto aspect-[500/820] w-3/5 rounded-xl" />
      <Skeleton className="mt-4 h-4 w-20" />
      <Skeleton className="mt-3 h-10" />
      <Skeleton className="mt-3 h-4" />
      <Skeleton className="mt-4 h-10" />
    </div>
  )
}
