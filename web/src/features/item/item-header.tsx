import type { ReactNode } from 'react'
import { ItemText } from '@/components/item-card'
import type { ShownItem } from '@/components/shown-item'
import { Slab } from '@/components/slab'
import { usePageTitle } from '@/lib/page-title'
import { type Fact, Facts } from '@/components/ui/facts'
import { Skeleton } from '@/components/ui/skeleton'

interface ItemHeaderProps {
  item: ShownItem
  badges?: ReactNode
  /** The main buttons, directly below the name. */
  main?: ReactNode
  facts: readonly Fact[]
  actions?: ReactNode
}

/** The header of the item page and the entry page. */
export function ItemHeader({ item, badges, main, facts, actions }: ItemHeaderProps) {
  const { name, imageUrl = '', rarity = '' } = item
  usePageTitle(name)
  return (
    <div className="grid gap-8 lg:grid-cols-[minmax(0,5fr)_minmax(0,7fr)] xl:gap-10">
      <div className="panel relative grid place-items-center overflow-hidden rounded-3xl p-8 spotlight">
        <Slab item={{ name, imageUrl, rarity }} glow loading="eager" className="w-full max-w-72 lift-high" />
      </div>
      <div className="flex flex-col justify-center">
        <ItemText item={item} level={1} size="large" badges={badges} />
        {main && <div className="mt-6">{main}</div>}
        <Facts facts={facts} className="panel mt-6 space-y-2 rounded-2xl p-5" />
        {actions && <div className="mt-5 flex flex-wrap items-center gap-3 empty:hidden">{actions}</div>}
      </div>
    </div>
  )
}

export function ItemHeaderSkeleton() {
  return (
    <div className="grid gap-8 lg:grid-cols-[minmax(0,5fr)_minmax(0,7fr)] xl:gap-10">
      <Skeleton className="h-[32rem] rounded-3xl" />
      <div className="flex flex-col justify-center gap-4">
        <Skeleton className="h-7 w-40" />
        <Skeleton className="h-16" />
        <Skeleton className="h-44 rounded-2xl" />
      </div>
    </div>
  )
}
