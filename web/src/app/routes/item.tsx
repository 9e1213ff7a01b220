import { useParams } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'
import { bidTexts } from '@/features/bids/texts'
import { ItemPage as Item } from '@/features/item/item-page'
import { Part } from '@/features/item/part'
import { Skeleton } from '@/ui/skeleton'

const WatchButton = lazy(() => import('@/features/alerts/watch-button'))
// Below what one comes for first.
const ItemBids = lazy(() => import('@/features/bids/item-bids'))

export function ItemPage() {
  const { itemId } = useParams({ from: '/item/$itemId' })
  const t = bidTexts.useT().book
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
        <Part title={t.title} text={t.text}>
          <Suspense fallback={<Skeleton className="mt-4 h-60" />}>
            <ItemBids item={item} />
          </Suspense>
        </Part>
      )}
    />
  )
}
