import { Skeleton } from '@/ui/skeleton'

const cards = 8

/** The shape of the marketplace's and the vault's grid: four columns, eight cards. */
export function ShelfSkeleton() {
  return (
    <div className="grid grid-cols-2 gap-5 lg:grid-cols-4">
      {Array.from({ length: cards }, (_, index) => (
        <div key={index} className="panel rounded-2xl p-4">
          <Skeleton className="mx-auto aspect-[500/820] w-3/5 rounded-xl" />
          <Skeleton className="mt-4 h-4 w-20" />
          <Skeleton className="mt-3 h-4" />
          <Skeleton className="mt-4 h-9 rounded-lg" />
        </div>
      ))}
    </div>
  )
}
