import { Layers } from 'lucide-react'
import { ItemCard } from '@/components/item-card'
import { type Dictionary, useT } from '@/i18n'
import { useSeriesName } from '@/i18n/names'
import type { Bid } from '@/contract/types'
import { Badge } from '@/components/ui/badge'
import { bidsTexts } from './texts'
import type { bids } from './texts/en'

/** A bid's target in one line: the item's name, or the criteria. */
export function useBidName(bid: Bid): string {
  return bidName(bid, useT(), bidsTexts.useT().bids, useSeriesName())
}

function bidName(
  { item, scope: { series, certType, rarity, minGrade } }: Bid,
  { catalogue }: Dictionary,
  { criteria }: typeof bids,
  seriesName: (series: string) => string,
): string {
  if (item) return item.name
  return [
    series && seriesName(series),
    certType,
    rarity && catalogue.rarities[rarity],
    minGrade !== undefined && criteria.grade(minGrade),
  ]
    .filter(Boolean)
    .join(' · ')
}

/** A bid's target, with the item's picture if it is for one item. */
export function BidTargetCard({ bid }: { bid: Bid }) {
  const t = bidsTexts.useT().bids.order
  const name = useBidName(bid)
  const { item, scope } = bid
  if (!item) {
    return (
      <div className="flex items-center gap-4">
        <span aria-hidden className="grid h-20 w-12 place-items-center rounded-lg border bg-muted text-gold-text">
          <Layers className="size-5" />
        </span>
        <div className="min-w-0">
          <Badge>{t.anything}</Badge>
          <h3 className="mt-2 text-sm leading-5 font-medium">{name}</h3>
        </div>
      </div>
    )
  }
  const { certification, ...shown } = item
  const entry = scope.inventoryId === undefined ? {} : { inventoryId: String(scope.inventoryId) }
  return (
    <ItemCard
      item={{ ...shown, certType: certification, ...entry }}
      layout="row"
      badges={<Badge>{scope.inventoryId === undefined ? t.anyItem : t.thisItem}</Badge>}
    />
  )
}
