import { Link } from '@tanstack/react-router'
import { ArrowRight } from 'lucide-react'
import { useInventory } from '@/api/inventory'
import { useT } from '@/i18n'
import { dollars } from '@/lib/format'
import { Art } from '@/ui/art'
import { Failed } from '@/ui/failed'
import { Skeleton } from '@/ui/skeleton'
import { filtersOf } from './tabs'

const shown = 4

/** The visitor's newest items, small; with none, the way to the packs. */
export function LastPulls() {
  const t = useT().collection
  const inventory = useInventory(filtersOf.all)
  return (
    <section aria-labelledby="last-pulls" className="panel flex flex-col rounded-2xl p-6">
      <div className="flex items-baseline justify-between gap-4">
        <h2 id="last-pulls" className="text-sm text-muted-foreground">
          {t.lastPulls}
        </h2>
        <Link
          to="/my-collection"
          className="inline-flex items-center gap-1.5 text-sm font-medium text-gold-text hover:underline"
        >
          {t.title}
          <ArrowRight aria-hidden className="size-4" />
        </Link>
      </div>
      <div className="mt-3 h-24">
        {inventory.isPending && <Skeleton className="h-full rounded-xl" />}
        {inventory.isLoadingError && <Failed text={t.failed} retry={() => void inventory.refetch()} />}
        {inventory.data?.length === 0 && <p className="text-sm text-muted-foreground">{t.emptyAll}</p>}
        <ul className="grid h-full grid-cols-4 gap-3">
          {inventory.data?.slice(0, shown).map(({ id, item }) => (
            <li key={id} className="flex min-w-0 items-center gap-3" title={item.name}>
              <Art src={item.imageUrl} alt={item.name} loading="lazy" className="h-24 w-auto" />
              <span className="hidden text-sm font-semibold tabular-nums xl:block">{dollars(item.baseValueCents)}</span>
            </li>
          ))}
        </ul>
      </div>
    </section>
  )
}
