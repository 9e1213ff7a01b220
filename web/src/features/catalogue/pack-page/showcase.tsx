import { lazy, startTransition, Suspense, useState } from 'react'
import { packTexts } from './texts'
import type { Item, PackDetail } from '@/lib/contract/types'
import { cn } from '@/lib/cn'
import { dollars } from '@/lib/format'
import { Art } from '@/ui/art'
import { RarityBadge } from '@/domain/rarity-badge'
import { isToyPack } from '../categories'
import { truncatedName } from './truncated-name'

const Enlarged = lazy(() => import('@/domain/enlarged'))

/** The best of what the pack can really yield. A click shows one large. */
export function Showcase({ pack }: { pack: PackDetail }) {
  const t = packTexts.useT()
  const [enlarged, setEnlarged] = useState<Item | null>(null)
  const toys = isToyPack(pack)
  return (
    <section aria-labelledby="showcase" className="later">
      <h2 id="showcase" className="text-xl font-semibold tracking-tight">
        {toys ? t.potentialRare : t.potentialGrails}
      </h2>
      <p className="mt-1 text-muted-foreground">{t.showcaseText}</p>
      <ul
        className={cn('mt-6 grid grid-cols-3 gap-4', pack.showcase.length === 6 ? '2xl:grid-cols-6' : 'xl:grid-cols-5')}
      >
        {pack.showcase.map((item) => (
          <li key={item.id}>
            <ShowcaseItem item={item} toy={toys} onEnlarge={() => startTransition(() => setEnlarged(item))} />
          </li>
        ))}
      </ul>
      <Suspense>
        {enlarged && (
          <Enlarged
            item={enlarged}
            text={toys ? `${enlarged.series} · ${dollars(enlarged.baseValueCents)}` : enlarged.series}
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
}

function ShowcaseItem({ item, toy, onEnlarge }: ShowcaseItemProps & { onEnlarge: () => void }) {
  const t = packTexts.useT()
  return (
    <button
      type="button"
      aria-label={t.enlarge(item.name)}
      onClick={onEnlarge}
      className="group panel flex w-full flex-col items-center gap-3 rounded-2xl p-4 text-center transition-colors hover:border-line-strong"
    >
      <Art
        src={item.imageUrl}
        alt=""
        loading="lazy"
        className="h-60 w-auto lift transition-transform duration-300 group-hover:scale-[1.03] motion-reduce:transform-none"
      />
      <span className="line-clamp-2 min-h-10 text-sm leading-5 font-medium">
        {toy ? truncatedName(item.name) : item.name}
      </span>
      <span className="flex items-center gap-2">
        <RarityBadge rarity={item.rarity} size="sm" />
        {toy && <span className="text-sm font-semibold tabular-nums">{dollars(item.baseValueCents)}</span>}
      </span>
    </button>
  )
}
