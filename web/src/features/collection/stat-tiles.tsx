import { useT } from '@/i18n'
import type { InventorySummary } from '@/lib/api/types'
import { dollars } from '@/lib/format'
import { Skeleton } from '@/ui/skeleton'

/** Four numbers about the collection; skeletons while they are unknown. */
export function StatTiles({ totals }: { totals: InventorySummary | undefined }) {
  const t = useT().collection.tiles
  const tiles = [
    { label: t.total, value: totals && String(totals.count) },
    { label: t.value, value: totals && dollars(totals.valueCents) },
    { label: t.listed, value: totals && String(totals.listed) },
    { label: t.rarities, value: totals && String(totals.rarities) },
  ]
  return (
    <dl className="grid grid-cols-2 gap-4 lg:grid-cols-4">
      {tiles.map((tile) => (
        <div key={tile.label} className="panel rounded-2xl px-5 py-4">
          <dt className="text-sm text-muted-foreground">{tile.label}</dt>
          <dd className="mt-1 text-2xl font-semibold tracking-tight tabular-nums">
            {tile.value ?? <Skeleton className="my-1 h-7 w-20" />}
          </dd>
        </div>
      ))}
    </dl>
  )
}
