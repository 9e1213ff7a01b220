import type { ReactNode } from 'react'
import type { PulledItem } from '@/contract/types'
import { ItemCard } from '@/components/item-card'
import { Slab } from '@/components/slab'

/** The one item of a small pack, as large as the window allows. */
export function Piece({ item }: { item: PulledItem }) {
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

/** Everything that came out, in the order drawn. */
export function Haul({ items, actions }: HaulProps) {
  return (
    <ol className="my-7 grid grid-cols-5 gap-x-5 gap-y-8 xl:gap-x-7">
      {items.map((item, i) => (
        <li key={item.inventoryId} data-item={i}>
          <ItemCard
            item={item}
            loading="eager"
            // All that can be done stays in the window: of a low one the slabs get less.
            pictureClassName="w-[min(100%,max(8rem,0.61*(100dvh-34rem)))] print:w-full"
            valueCents={item.baseValueCents}
            // As high as all that can be done with one: nothing moves when it is sold.
            actions={<div className="min-h-28 print:hidden">{actions(item)}</div>}
          />
        </li>
      ))}
    </ol>
  )
}
