import { useParams } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'
import { SetPage as Content } from '@/features/sets/set-page'
import { config } from '@/lib/config'
import { Skeleton } from '@/components/ui/skeleton'

// Lazy, because they load the libraries for forms.
const TradeMissing = lazy(async () => ({ default: (await import('../set-market')).TradeMissing }))
const AddToCart = lazy(async () => ({ default: (await import('../set-market')).AddToCart }))
const BidOnMissing = lazy(async () => ({ default: (await import('../set-market')).BidOnMissing }))

export function SetPage() {
  const { setId } = useParams({ from: '/sets/$setId' })
  const { market } = config.rules
  const fallback = <Skeleton className="h-10 rounded-lg" />
  return (
    <Content
      key={setId}
      id={setId}
      trade={(card) =>
        market && (
          <Suspense fallback={fallback}>
            <TradeMissing card={card} />
          </Suspense>
        )
      }
      addToCart={
        market
          ? (lines) => (
              <Suspense fallback={fallback}>
                <AddToCart lines={lines} />
              </Suspense>
            )
          : undefined
      }
      bidOn={
        market
          ? (items) => (
              <Suspense fallback={fallback}>
                <BidOnMissing items={items} />
              </Suspense>
            )
          : undefined
      }
    />
  )
}
