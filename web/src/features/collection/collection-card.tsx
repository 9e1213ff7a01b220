import type { ReactNode } from 'react'
import { useT } from '@/i18n'
import type { InventoryEntry } from '@/lib/contract/types'
import { dollars } from '@/lib/format'
import { Badge } from '@/ui/badge'
import { RarityBadge } from '@/domain/rarity-badge'
import { Skeleton } from '@/ui/skeleton'
import { Slab } from '@/domain/slab'
import { KeepButton, VaultedMark } from './keep-button'

interface CollectionCardProps {
  entry: InventoryEntry
  /** What sells the entry, or takes it back. */
  sell: ReactNode
}

export function CollectionCard({ entry, sell }: CollectionCardProps) {
  const t = useT().collection
  const { item } = entry
  return (
    <article className="panel flex h-full flex-col rounded-2xl p-4">
      <div className="relative mx-auto w-4/5">
        <Slab item={item} className="lift" />
        {/* Hangs from the lower edge: the label at the upper one is what a collector reads. */}
        {entry.forSale && (
          <Badge variant="gold" className="absolute inset-x-0 -bottom-2.5 mx-auto w-fit shadow-float">
            {t.forSale}
          </Badge>
        )}
      </div>
      <div className="mt-4 flex items-center justify-between gap-2">
        <RarityBadge rarity={item.rarity} size="sm" />
        <span className="min-w-0 truncate text-xs text-muted-foreground">{item.series}</span>
      </div>
      <h3 className="mt-2 line-clamp-2 text-sm leading-5 font-medium">{item.name}</h3>
      <dl className="mt-auto grid grid-cols-[1fr_auto] items-baseline pt-3 text-sm">
        <dt className="text-muted-foreground">{t.baseValue}</dt>
        <dd className="text-right font-semibold tabular-nums">{dollars(item.baseValueCents)}</dd>
        {entry.salePriceCents !== null && (
          <>
            <dt className="text-muted-foreground">{t.salePrice}</dt>
            <dd className="text-right font-semibold text-gold-text tabular-nums">{dollars(entry.salePriceCents)}</dd>
          </>
        )}
      </dl>
      {entry.packName && <p className="mt-0.5 text-xs text-muted-foreground">{t.fromPack(entry.packName)}</p>}
      {entry.vaulted ? (
        <VaultedMark className="mt-3" />
      ) : (
        entry.state === 'held' && <KeepButton inventoryId={entry.id} name={item.name} className="mt-3" />
      )}
      <div className="mt-2 empty:hidden">{sell}</div>
    </article>
  )
}

export function CollectionCardSkeleton() {
  return (
    <div className="panel rounded-2xl p-4">
      <Skeleton className="mx-auto aspect-[500/820] w-4/5 rounded-xl" />
      <Skeleton className="mt-4 h-4 w-20" />
      <Skeleton className="mt-3 h-10" />
      <Skeleton className="mt-4 h-4" />
    </div>
  )
}
