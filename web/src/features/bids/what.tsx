import { Layers } from 'lucide-react'
import { ItemCard } from '@/components/item-card'
import { type Dictionary, useT } from '@/i18n'
import type { Bid } from '@/contract/types'
import { Badge } from '@/components/ui/badge'
import { bidsTexts } from './texts'
import type { bids } from './texts/en'

/** What a bid is for, in a line: the item's name, or what items are to be like. */
export function useNameOf(bid: Bid): string {
  return likeThis(bid, useT(), bidsTexts.useT().bids)
}

function likeThis(
  { item, scope: { series, certType, rarity, minGrade } }: Bid,
  { catalogue }: Dictionary,
  { like }: typeof bids,
): string {
  if (item) return item.name
  return [series, certType, rarity && catalogue.rarities[rarity], minGrade !== undefined && like.grade(minGrade)]
    .filter(Boolean)
    .join(' · ')
}

/** What a bid is for, with its picture where it is for one item. */
export function What({ bid }: { bid: Bid }) {
  const t = bidsTexts.useT().bids.order
  const name = useNameOf(bid)
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
      look="row"
      badges={<Badge>{scope.inventoryId === undefined ? t.anyItem : t.thisItem}</Badge>}
    />
  )
}
