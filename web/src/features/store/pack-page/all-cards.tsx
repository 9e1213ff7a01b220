import { Link } from '@tanstack/react-router'
import { Search } from 'lucide-react'
import { useState } from 'react'
import { usePackCards } from '@/api/pack-cards'
import { storeTexts } from '../texts'
import type { CardChance, PackDetail } from '@/contract/types'
import { terms } from '@/lib/config'
import { dollars } from '@/lib/format'
import { useComposedText } from '@/lib/ime'
import { useDebounced } from '@/lib/use-debounced'
import { Art } from '@/components/ui/art'
import { Button } from '@/components/ui/button'
import { EmptyState } from '@/components/ui/empty-state'
import { Input } from '@/components/ui/input'
import { LoadedGrid } from '@/components/ui/loaded-grid'
import { Skeleton } from '@/components/ui/skeleton'
import { RarityBadge } from '@/components/rarity-badge'
import { useChanceText } from './use-chance-text'

/** Every card that the pack can yield now, with value and chance, the most valuable first. */
export function AllCards({ pack }: { pack: PackDetail }) {
  const t = storeTexts.useT().pack
  const [text, setText] = useState('')
  const cards = usePackCards(pack, useDebounced(useComposedText(text).trim()))
  return (
    <section aria-labelledby="all-cards">
      <div className="flex flex-wrap items-end justify-between gap-4">
        <div>
          <h2 id="all-cards" className="text-xl font-semibold tracking-tight">
            {t.allCards}
          </h2>
          <p className="mt-1 text-muted-foreground">{t.allCardsText}</p>
        </div>
        <div className="relative w-72">
          <Search
            aria-hidden
            className="pointer-events-none absolute top-1/2 left-3.5 size-4 -translate-y-1/2 text-muted-foreground"
          />
          <Input
            type="search"
            aria-label={t.searchCards}
            placeholder={t.searchCardsPlaceholder}
            maxLength={terms.longestSearch}
            autoComplete="off"
            className="pl-10"
            value={text}
            onChange={({ currentTarget }) => setText(currentTarget.value)}
          />
        </div>
      </div>
      <div className="mt-6">
        <LoadedGrid
          list={cards}
          label={t.allCards}
          failed={t.cardsFailed}
          columns="grid-cols-1 xl:grid-cols-2"
          gap={10}
          skeleton={<Skeleton className="h-20 rounded-xl" />}
          idOf={({ item }) => item.id}
          empty={
            <EmptyState
              level={3}
              icon={<Search />}
              title={text ? t.noMatch : t.noCardsLeft}
              text={text ? t.noMatchText : t.noCardsLeftText}
              action={
                text && (
                  <Button variant="secondary" onClick={() => setText('')}>
                    {t.clearSearch}
                  </Button>
                )
              }
              className="panel rounded-2xl"
            />
          }
        >
          {(card) => <CardRow card={card} itemsPerPack={pack.itemsPerPack} />}
        </LoadedGrid>
      </div>
    </section>
  )
}

function CardRow({ card: { item, valueCents, chance }, itemsPerPack }: { card: CardChance; itemsPerPack: number }) {
  const chanceText = useChanceText(itemsPerPack)
  return (
    <div className="panel relative flex h-20 items-center gap-4 rounded-xl px-4 transition-colors hover:border-line-strong">
      <Art src={item.imageUrl} alt="" loading="lazy" className="h-14 w-9 shrink-0 object-contain" />
      <div className="min-w-0 grow">
        <p className="line-clamp-2 text-sm leading-5 font-medium" title={item.name}>
          <Link
            to="/item/$itemId"
            params={{ itemId: item.id }}
            className="after:absolute after:inset-0 after:rounded-xl hover:text-gold-text focus-visible:outline-none focus-visible:after:outline-2 focus-visible:after:outline-ring"
          >
            {item.name}
          </Link>
        </p>
      </div>
      <RarityBadge rarity={item.rarity} size="sm" className="shrink-0" />
      <div className="w-28 shrink-0 text-right tabular-nums">
        <p className="font-semibold">{dollars(valueCents)}</p>
        <p className="text-xs whitespace-nowrap text-muted-foreground">{chanceText(chance)}</p>
      </div>
    </div>
  )
}
