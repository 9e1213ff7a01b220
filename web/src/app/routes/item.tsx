import { useParams } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'
import { ItemPage as Item } from '@/features/item/item-page'
import type { CartItem } from '@/features/market/cart/cart'
import { config } from '@/lib/config'
import type { KeptItem } from '@/contract/on-sale'
import { Skeleton } from '@/components/ui/skeleton'

const AddButton = lazy(() => import('@/features/market/cart/add-button'))
const Sweep = lazy(() => import('@/features/market/cart/sweep'))
const WatchButton = lazy(() => import('@/features/alerts/watch-button'))
// Below what one comes for first.
const ItemMarket = lazy(async () => ({ default: (await import('../item-market')).ItemMarket }))

export function ItemPage() {
  const { itemId } = useParams({ from: '/item/$itemId' })
  return (
    <Item
      key={itemId}
      id={itemId}
      actions={({ name }) =>
        config.rules.market && (
          <Suspense fallback={<Skeleton className="h-10 w-28 rounded-lg" />}>
            <WatchButton itemId={itemId} name={name} />
          </Suspense>
        )
      }
      market={(item) =>
        config.rules.market && (
          <Suspense fallback={<Skeleton className="h-80 rounded-2xl" />}>
            <ItemMarket item={item} />
          </Suspense>
        )
      }
      cart={(item) => ({
        add: (listing) => (
          <Suspense fallback={<div className="size-9" />}>
            <AddButton line={lineOf(item, listing)} />
          </Suspense>
        ),
        sweep: (
          <Suspense fallback={<div className="mt-4 h-8" />}>
            <Sweep lines={item.listings.filter(({ gone }) => !gone).map((listing) => lineOf(item, listing))} />
          </Suspense>
        ),
      })}
    />
  )
}

function lineOf(
  { name, imageUrl, rarity, grade, series }: KeptItem,
  { id, salePriceCents }: KeptItem['listings'][number],
): CartItem {
  return { inventoryId: id, priceCents: salePriceCents, item: { name, imageUrl, rarity, grade, series } }
}
