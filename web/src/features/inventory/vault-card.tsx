import type { ReactNode } from 'react'
import { ItemCard } from '@/components/item-card'
import { itemOf } from '@/components/shown-item'
import { StateMark } from './state-mark'
import { inventoryTexts } from './texts'
import type { InventoryEntry } from '@/contract/types'
import { dollars } from '@/lib/format'

interface VaultCardProps {
  entry: InventoryEntry
  actions: ReactNode
}

export function VaultCard({ entry, actions }: VaultCardProps) {
  const { collection, vault: t } = inventoryTexts.useT()
  const { item, salePriceCents } = entry
  return (
    <ItemCard
      item={itemOf(entry)}
      level={2}
      facts={[
        { label: t.baseValue, value: dollars(item.baseValueCents) },
        ...(salePriceCents === null ? [] : [{ label: collection.salePrice, value: dollars(salePriceCents) }]),
      ]}
      actions={
        <>
          {entry.state !== 'held' && <StateMark {...entry} />}
          {actions}
        </>
      }
    />
  )
}
