import type { ReactNode } from 'react'
import { ItemCard } from '@/components/item-card'
import { itemOf } from '@/components/shown-item'
import { usePackName } from '@/i18n/names'
import type { InventoryEntry } from '@/contract/types'
import { dollars } from '@/lib/format'
import { Badge } from '@/components/ui/badge'
import { KeepButton } from './keep-button'
import { profitClass, profitOf, signedDollars } from '@/lib/profit'
import { StateMark } from './state-mark'
import { inventoryTexts } from './texts'

interface CollectionCardProps {
  entry: InventoryEntry
  /** Sell or delist buttons. */
  sell: ReactNode
  /** Replaces the buttons in selection mode. */
  pick: ReactNode
}

export function CollectionCard({ entry, sell, pick }: CollectionCardProps) {
  const t = inventoryTexts.useT().collection
  const { id, item, salePriceCents } = entry
  const profit = profitOf(entry)
  const source = useSource()(entry)
  return (
    <ItemCard
      item={{ ...itemOf(entry), series: '' }}
      level={3}
      size="plain"
      pictureClassName="w-4/5"
      // At the lower edge, so that it doesn't cover the slab's label.
      over={
        entry.forSale && (
          <Badge variant="gold" className="absolute inset-x-0 -bottom-2.5 mx-auto w-fit shadow-float">
            {t.forSale}
          </Badge>
        )
      }
      facts={[
        { label: t.baseValue, value: dollars(item.baseValueCents) },
        ...(profit === undefined
          ? []
          : [{ label: t.profit, value: signedDollars(profit), className: profitClass(profit) }]),
        ...(salePriceCents === null
          ? []
          : [{ label: t.salePrice, value: dollars(salePriceCents), className: 'text-gold-text' }]),
      ]}
      actions={
        <>
          {(!pick || entry.state !== 'held') && <StateMark {...entry} />}
          {pick ?? (
            <>
              {!entry.vaulted && entry.state === 'held' && <KeepButton inventoryId={id} name={item.name} />}
              {sell}
            </>
          )}
        </>
      }
    >
      <p className="mt-0.5 text-xs text-muted-foreground tabular-nums">{source}</p>
    </ItemCard>
  )
}

/** Says how the user got an entry, and what they paid. */
function useSource() {
  const t = inventoryTexts.useT().collection.source
  const packName = usePackName()
  return (entry: InventoryEntry) => {
    const { acquiredFrom, paidCents } = entry
    if (acquiredFrom === 'gift') return t.gift
    const price = paidCents === undefined ? '' : dollars(paidCents)
    return acquiredFrom === 'pack' ? t.pack(packName(entry), price) : t.bought(price)
  }
}
