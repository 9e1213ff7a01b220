import { type ComponentProps, lazy, Suspense } from 'react'
import type { SellButton as Button } from '@/features/market/sell-buttons'
import { config } from '@/lib/config'

const SellButton = lazy(async () => ({ default: (await import('@/features/market/sell-buttons')).SellButton }))

/**
 * What puts an entry up for sale, where users trade, or takes it back; it comes after the page, as not everybody sells.
 */
export function TradeButton(props: ComponentProps<typeof Button>) {
  if (!config.rules.market && props.entry.state !== 'listed') return null
  return (
    <Suspense fallback={<div className="h-8" />}>
      <SellButton {...props} />
    </Suspense>
  )
}
