import { useParams } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'
import { ItemPage as Item } from '@/features/item/item-page'
import { Skeleton } from '@/ui/skeleton'

const WatchButton = lazy(() => import('@/features/alerts/watch-button'))
// Below what one comes for first.
const ItemMarket = lazy(async () => ({ default: (await import('../item-market')).ItemMarket }))

export function ItemPage() {
  const { itemId } = useParams({ from: '/item/$itemId' })
  return (
    <Item
      key={itemId}
      id={itemId}
      actions={({ name }) => (
        <Suspense fallback={<Skeleton className="h-10 w-28 rounded-lg" />}>
          <WatchButton itemId={itemId} name={name} />
        </Suspense>
      )}
      market={(item) => (
        <Suspense fallback={<Skeleton className="h-80 rounded-2xl" />}>
          <ItemMarket item={item} />
        </Suspense>
      )}
    />
  )
}
