import { useParams } from '@tanstack/react-router'
import { SetPage as Content } from '@/features/sets/set-page'
import { config } from '@/lib/config'
import { AddToCart, BidOnMissing, TradeMissing } from '../set-market'

export function SetPage() {
  const { setId } = useParams({ from: '/sets/$setId' })
  const { market } = config.rules
  return (
    <Content
      key={setId}
      id={setId}
      trade={(card) => market && <TradeMissing card={card} />}
      addToCart={market ? (lines) => <AddToCart lines={lines} /> : undefined}
      bidOn={market ? (items) => <BidOnMissing items={items} /> : undefined}
    />
  )
}
