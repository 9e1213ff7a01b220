import type { ReactNode } from 'react'
import type { PulledItem } from '@/contract/types'
import { ItemCard } from '@/components/item-card'
import { Slab } from '@/components/slab'

/** A single pulled item, as large as the window allows. */
export function SingleItem({ item }: { item: PulledItem }) {
  return (
    <div data-item={0} className="mx-auto w-[min(30rem,46dvh)]">
      <Slab item={item} glow loading="eager" />
    </div>
  )
}

interface HaulProps {
  items: readonly PulledItem[]
  actions: (item: PulledItem) => ReactNode
}

/** All pulled items in draw order. */
export function Haul({ items, actions }: HaulProps) {
  return (
    <ol className="my-7 grid grid-cols-5 gap-x-5 gap-y-8 xl:gap-x-7">
      {items.map((item, i) => (
        <li key={item.inventoryId} data-item={i}>
          <ItemCard
            item={item}
            loading="eager"
            // Slabs shrink on low windows, so that the actions stay visible.
            pictureClassName="w-[min(100%,max(8rem,0.61*(100dvh-34rem)))] print:w-full"
            valueCents={item.baseValueCents}
            // Reserves the height of all actions, so that nothing moves after a sale.
            actions={<div className="min-h-28 print:hidden">{actions(item)}</div>}
          />
        </li>
      ))}
    </ol>
  )
}
