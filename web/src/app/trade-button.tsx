import type { ComponentProps } from 'react'
import { SellButton } from '@/features/market/sell-buttons'
import { config } from '@/lib/config'

/** Lists an entry or takes its listing back. Without a market, only listings that are left can be taken back. */
export function TradeButton(props: ComponentProps<typeof SellButton>) {
  if (!config.rules.market && props.entry.state !== 'listed') return null
  return <SellButton {...props} />
}
