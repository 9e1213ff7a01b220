import type { ReactNode } from 'react'
import type { PulledItem } from '@/lib/contract/types'
import { dollars } from '@/lib/format'
import { RarityBadge } from '@/domain/rarity-badge'
import { Slab } from '@/domain/slab'

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
  keep: (item: PulledItem) => ReactNode
}

/** Everything that came out, in the order drawn. */
export function Haul({ items, keep }: HaulProps) {
  return (
    <ol className="my-10 grid grid-cols-5 gap-x-5 gap-y-8 xl:gap-x-7">
      {items.map((item, i) => (
        <li key={item.inventoryId} data-item={i} className="flex flex-col">
          <Slab item={item} loading="eager" />
          <p className="mt-4 line-clamp-2 text-sm leading-snug font-medium" title={item.name}>
            {item.name}
          </p>
          <p className="mt-0.5 text-xs text-muted-foreground">{item.series}</p>
          <div className="mt-auto flex flex-wrap items-center justify-between gap-x-2 gap-y-1 pt-2">
            <RarityBadge rarity={item.rarity} size="sm" />
            <span className="text-sm font-semibold tabular-nums">{dollars(item.baseValueCents)}</span>
          </div>
          <div className="mt-3 print:hidden">{keep(item)}</div>
        </li>
      ))}
    </ol>
  )
}
