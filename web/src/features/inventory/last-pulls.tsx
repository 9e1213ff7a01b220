import { Link } from '@tanstack/react-router'
import { ArrowRight } from 'lucide-react'
import { useInventory } from '@/api/inventory'
import { ItemCard } from '@/components/item-card'
import { itemOf } from '@/components/shown-item'
import { Loaded } from '@/components/ui/loaded'
import { Skeleton } from '@/components/ui/skeleton'
import { inventoryTexts } from './texts'

const shown = 4

/** The user's newest items, or a link to the packs. */
export function LastPulls() {
  const t = inventoryTexts.useT().collection
  const inventory = useInventory()
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
          <span>{t.title}</span>
          <ArrowRight aria-hidden className="size-4" />
        </Link>
      </div>
      <div className="mt-3 h-24">
        <Loaded
          query={inventory}
          failed={t.failed}
          inlineErrorClass=""
          skeleton={<Skeleton className="h-full rounded-xl" />}
          empty={<p className="text-sm text-muted-foreground">{t.emptyAll}</p>}
        >
          {(entries) => (
            <ul className="grid h-full grid-cols-4 gap-3">
              {entries.slice(0, shown).map((entry) => (
                <li key={entry.id} title={entry.item.name} className="min-w-0">
                  <ItemCard
                    item={itemOf(entry)}
                    layout="tiny"
                    pictureClassName="h-24"
                    valueCents={entry.item.baseValueCents}
                    className="gap-3"
                  />
                </li>
              ))}
            </ul>
          )}
        </Loaded>
      </div>
    </section>
  )
}
