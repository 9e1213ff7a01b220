import { lazy, startTransition, Suspense, useState } from 'react'
import { usePackCards } from '@/api/pack-cards'
import { storeTexts } from '../texts'
import { useSeriesName } from '@/i18n/names'
import { ItemCard } from '@/components/item-card'
import type { Item, PackDetail } from '@/contract/types'
import { cn } from '@/lib/cn'
import { dollars } from '@/lib/format'
import { isToyPack } from '@/components/categories'
import { truncatedName } from './truncated-name'
import { useChanceText } from './use-chance-text'

const Enlarged = lazy(() => import('@/components/enlarged'))

/** This pack's showcase isn't simply its most valuable items. */
const deluxeBox = '8'

/** The top items of the pack. Clicking one enlarges it. */
export function Showcase({ pack }: { pack: PackDetail }) {
  const t = storeTexts.useT().pack
  const seriesName = useSeriesName()
  const [enlarged, setEnlarged] = useState<Item | null>(null)
  const toys = isToyPack(pack)
  const chances = new Map(usePackCards(pack).data?.map(({ item, chance }) => [item.id, chance]))
  const chanceText = useChanceText(pack.itemsPerPack)
  return (
    <section aria-labelledby="showcase" className="later">
      <h2 id="showcase" className="text-xl font-semibold tracking-tight">
        {toys ? t.potentialRare : t.potentialGrails}
      </h2>
      <p className="mt-1 text-muted-foreground">
        {pack.id === deluxeBox ? t.showcaseSome : toys ? t.showcaseToys : t.showcaseText}
      </p>
      <ul
        className={cn('mt-6 grid grid-cols-3 gap-4', pack.showcase.length === 6 ? '2xl:grid-cols-6' : 'xl:grid-cols-5')}
      >
        {pack.showcase.map((item) => (
          <li key={item.id}>
            <ShowcaseItem
              item={item}
              toy={toys}
              chance={chanceText(chances.get(item.id))}
              onEnlarge={() => startTransition(() => setEnlarged(item))}
            />
          </li>
        ))}
      </ul>
      <Suspense>
        {enlarged && (
          <Enlarged
            item={enlarged}
            text={[seriesName(enlarged.series), ...(toys ? [dollars(enlarged.baseValueCents)] : [])].join(' · ')}
            onClose={() => setEnlarged(null)}
          />
        )}
      </Suspense>
    </section>
  )
}

interface ShowcaseItemProps {
  item: Item
  toy: boolean
  /** How likely it is. */
  chance: string
}

function ShowcaseItem({ item, toy, chance, onEnlarge }: ShowcaseItemProps & { onEnlarge: () => void }) {
  const t = storeTexts.useT().pack
  return (
    <ItemCard
      item={{ ...item, name: toy ? truncatedName(item.name) : item.name }}
      level={3}
      size="brief"
      loading="idle"
      pictureClassName="w-4/5 max-w-36 transition-transform duration-300 group-hover:scale-[1.03] motion-reduce:transform-none"
      valueCents={item.baseValueCents}
      className="group transition-colors hover:border-line-strong"
      actions={
        <button
          type="button"
          aria-label={t.enlarge(item.name)}
          onClick={onEnlarge}
          className="absolute inset-0 rounded-2xl"
        />
      }
    >
      {/* A line even while it loads, so that nothing moves. */}
      <p className="mt-1 min-h-4 text-xs text-muted-foreground tabular-nums">{chance}</p>
    </ItemCard>
  )
}
