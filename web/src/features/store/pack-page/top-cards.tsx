import { Link } from '@tanstack/react-router'
import { usePackCards } from '@/api/pack-cards'
import type { CardChance, PackDetail } from '@/contract/types'
import { cardTitle } from '@/lib/card-title'
import { dollars } from '@/lib/format'
import { Art } from '@/components/ui/art'
import { Loaded } from '@/components/ui/loaded'
import { Skeleton } from '@/components/ui/skeleton'
import { useChanceText } from './use-chance-text'

const shown = 5

/** The most valuable cards that the pack can yield, with their chances. If loading fails, the list of all cards says so. */
export function TopCards({ pack }: { pack: PackDetail }) {
  const cards = usePackCards(pack)
  return (
    <Loaded
      query={cards}
      failed={null}
      skeleton={
        <ul className={grid}>
          {Array.from({ length: shown }, (_, index) => (
            <li key={index}>
              <Skeleton className="h-44 rounded-lg" />
            </li>
          ))}
        </ul>
      }
    >
      {(all) => (
        <ul className={grid}>
          {all.slice(0, shown).map((card) => (
            <li key={card.item.id}>
              <TopCard card={card} itemsPerPack={pack.itemsPerPack} />
            </li>
          ))}
        </ul>
      )}
    </Loaded>
  )
}

const grid = 'grid grid-cols-5 gap-2.5'

function TopCard({ card: { item, valueCents, chance }, itemsPerPack }: { card: CardChance; itemsPerPack: number }) {
  const chanceText = useChanceText(itemsPerPack)
  // Year, set and number are on the picture.
  const { subject, grade } = cardTitle(item.name)
  return (
    <div className="group relative flex h-44 flex-col items-center rounded-lg bg-muted/50 px-1.5 py-2 text-center">
      <Art src={item.imageUrl} alt="" loading="idle" className="h-20 w-auto" />
      <p className="my-auto line-clamp-2 w-full text-[0.6875rem] leading-tight text-muted-foreground" title={item.name}>
        <Link
          to="/item/$itemId"
          params={{ itemId: item.id }}
          aria-label={item.name}
          className="after:absolute after:inset-0 after:rounded-lg group-hover:text-gold-text focus-visible:outline-none focus-visible:after:outline-2 focus-visible:after:outline-ring"
        >
          {[subject, grade].filter(Boolean).join(' ')}
        </Link>
      </p>
      <p className="text-sm font-semibold tabular-nums">{dollars(valueCents)}</p>
      <p className="text-xs whitespace-nowrap text-muted-foreground tabular-nums">{chanceText(chance)}</p>
    </div>
  )
}
