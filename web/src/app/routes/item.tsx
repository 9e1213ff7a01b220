import { useParams } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'
import WatchButton from '@/features/alerts/watch-button'
import { ItemPage as Item } from '@/features/item/item-page'
import AddButton from '@/features/market/cart/add-button'
import type { CartItem } from '@/features/market/cart/cart'
import { config } from '@/lib/config'
import type { KeptItem } from '@/contract/on-sale'
import { Skeleton } from '@/components/ui/skeleton'

// They bring the forms' libraries.
const Sweep = lazy(() => import('@/features/market/cart/sweep'))
const ItemTrade = lazy(() => import('../item-trade'))
const ItemMarket = lazy(async () => ({ default: (await import('../item-market')).ItemMarket }))

export function ItemPage() {
  const { itemId } = useParams({ from: '/item/$itemId' })
  return (
    <Item
      key={itemId}
      id={itemId}
      main={(item) =>
        config.rules.market && (
          <Suspense fallback={<Skeleton className="h-12 rounded-xl" />}>
            <ItemTrade item={item} />
          </Suspense>
        )
      }
      actions={({ name }) => config.rules.market && <WatchButton itemId={itemId} name={name} />}
      market={(item) =>
        config.rules.market && (
          <Suspense fallback={<Skeleton className="h-80 rounded-2xl" />}>
            <ItemMarket item={item} />
          </Suspense>
        )
      }
      cart={(item) => ({
        add: (listing) => <AddButton line={lineOf(item, listing)} />,
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
