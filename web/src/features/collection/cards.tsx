import { Link } from '@tanstack/react-router'
import { WalletCards } from 'lucide-react'
import { useInventorySummary } from '@/api/inventory'
import { useVaultCards } from '@/api/vault'
import { cardsTexts } from './texts/cards'
import type { VaultCard } from '@/lib/contract/types'
import { cn } from '@/lib/cn'
import { dollars, number } from '@/lib/format'
import { Button } from '@/ui/button'
import { EmptyState } from '@/ui/empty-state'
import { EndlessGrid } from '@/ui/endless-grid'
import { ErrorState } from '@/ui/error-state'
import { RarityBadge } from '@/domain/rarity-badge'
import { Skeleton } from '@/ui/skeleton'
import { Tiles } from '@/ui/tiles'

const columns = 'grid-cols-2 lg:grid-cols-4'

/** What lies in the vault. */
export function Cards() {
  const t = cardsTexts.useT()
  const cards = useVaultCards()
  return (
    <div className="space-y-6">
      <Totals />
      {cards.isLoadingError ? (
        <ErrorState title={t.failed} error={cards.error} retry={() => void cards.refetch()} />
      ) : cards.data === undefined ? (
        <div className={cn('grid gap-5', columns)}>
          {Array.from({ length: 8 }, (_, index) => (
            <CardSkeleton key={index} />
          ))}
        </div>
      ) : cards.data.length === 0 ? (
        <NoCards />
      ) : (
        <EndlessGrid
          list={cards}
          label={t.list}
          failed={t.failed}
          columns={columns}
          skeleton={<CardSkeleton />}
          idOf={({ id }) => id}
        >
          {(card) => <Card card={card} />}
        </EndlessGrid>
      )}
    </div>
  )
}

/** Of everything in the vault, whatever the list shows of it. */
function Totals() {
  const t = cardsTexts.useT()
  const { data, isError, refetch } = useInventorySummary()
  const { vaultedCount: count = 0, vaultedValueCents: total = 0 } = data ?? {}
  return (
    <Tiles
      columns="grid-cols-3"
      failure={isError ? { text: t.totalsFailed, retry: () => void refetch() } : undefined}
      tiles={[
        { label: t.totalCards, value: data && number(count) },
        { label: t.totalValue, value: data && dollars(total) },
        { label: t.avgValue, value: data && dollars(count > 0 ? Math.round(total / count) : 0) },
      ]}
    />
  )
}

function NoCards() {
  const t = cardsTexts.useT()
  return (
    <EmptyState
      icon={<WalletCards />}
      title={t.emptyTitle}
      text={t.emptyText}
      action={
        <Button asChild>
          <Link to="/open-packs">{t.openPacks}</Link>
        </Button>
      }
      className="panel rounded-2xl"
    />
  )
}

function CardSkeleton() {
  return <Skeleton className="h-40 rounded-2xl" />
}

function Card({ card }: { card: VaultCard }) {
  const t = cardsTexts.useT()
  return (
    <article className="panel flex h-full flex-col rounded-2xl p-4">
      <div className="flex items-center justify-between">
        <span
          aria-hidden
          className="grid size-10 place-items-center rounded-xl bg-muted text-sm font-semibold text-gold-text"
        >
          {initials(card.itemName)}
        </span>
        <RarityBadge rarity={card.rarity} size="sm" />
      </div>
      <h2 className="mt-3 line-clamp-2 text-sm font-medium">{card.itemName}</h2>
      <p className="mt-0.5 text-xs text-muted-foreground">{card.series}</p>
      <p className="mt-auto flex items-baseline justify-between gap-3 pt-3 text-xs text-muted-foreground">
        {t.from(card.packName)}
        <span className="text-sm font-semibold text-foreground tabular-nums">{dollars(card.baseValueCents)}</span>
      </p>
    </article>
  )
}

/** The first letters of the first two words that begin with one. */
function initials(name: string): string {
  const words = name.split(/\s+/).filter((word) => /^\p{L}/u.test(word))
  return words
    .slice(0, 2)
    .map((word) => word.charAt(0).toUpperCase())
    .join('')
}
