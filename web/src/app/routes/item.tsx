import { useParams } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'
import { ItemPage as Item } from '@/features/item/item-page'
import { Skeleton } from '@/ui/skeleton'

const WatchButton = lazy(() => import('@/features/alerts/watch-button'))

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
    />
  )
}
