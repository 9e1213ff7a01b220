import { Link } from '@tanstack/react-router'
import { WalletCards } from 'lucide-react'
import type { ReactNode } from 'react'
import { useInventorySummary } from '@/api/inventory'
import { useVaultCards } from '@/api/vault'
import { useLanguage } from '@/i18n'
import { packNameIn } from '@/lib/pack-name'
import { inventoryTexts } from './texts'
import { ItemCard, ItemCardSkeleton } from '@/components/item-card'
import type { VaultCard } from '@/contract/types'
import { dollars, number } from '@/lib/format'
import { Button } from '@/components/ui/button'
import { EmptyState } from '@/components/ui/empty-state'
import { LoadedGrid } from '@/components/ui/loaded-grid'
import { Tiles } from '@/components/ui/tiles'
import type { SellingSlots } from './selling-slots'

interface CardsProps extends SellingSlots<VaultCard> {
  /** Sell button. */
  sell: (card: VaultCard) => ReactNode
}

export function Cards({ sell, pick, selection }: CardsProps) {
  const t = inventoryTexts.useT().cards
  const cards = useVaultCards()
  return (
    <div className="space-y-6">
      <Totals />
      <div>
        {selection(cards, '')}
        <LoadedGrid
          list={cards}
          label={t.list}
          failed={t.failed}
          columns="grid-cols-2 lg:grid-cols-4"
          skeleton={<ItemCardSkeleton />}
          empty={<NoCards />}
          idOf={({ id }) => id}
        >
          {(card) => <Card card={card} actions={pick?.(card) ?? sell(card)} />}
        </LoadedGrid>
      </div>
    </div>
  )
}

/** Totals of the whole vault, not only of the loaded pages. */
function Totals() {
  const t = inventoryTexts.useT().cards
  const totals = useInventorySummary()
  const { data } = totals
  const { vaultedCount: count = 0, vaultedValueCents: total = 0 } = data ?? {}
  return (
    <Tiles
      query={totals}
      failed={t.totalsFailed}
      columns="grid-cols-3"
      tiles={[
        { label: t.totalCards, value: data && number(count) },
        { label: t.totalValue, value: data && dollars(total) },
        { label: t.avgValue, value: data && dollars(count > 0 ? Math.round(total / count) : 0) },
      ]}
    />
  )
}

function NoCards() {
  const t = inventoryTexts.useT().cards
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

function Card({
  card: { id, itemName, packName, packNameZh, ...item },
  actions,
}: {
  card: VaultCard
  actions: ReactNode
}) {
  const t = inventoryTexts.useT().cards
  const language = useLanguage()
  return (
    <ItemCard
      item={{ ...item, inventoryId: id, name: itemName }}
      level={2}
      valueCents={item.baseValueCents}
      badges={<Initials name={itemName} />}
      actions={actions}
    >
      <p className="pt-1 text-xs text-muted-foreground">{t.from(packNameIn(language, { packName, packNameZh }))}</p>
    </ItemCard>
  )
}

/** The initials of the first two words (specification, section 2). */
function Initials({ name }: { name: string }) {
  const words = name.split(/\s+/).filter((word) => /^\p{L}/u.test(word))
  return (
    <span
      aria-hidden
      className="-order-1 grid size-10 place-items-center rounded-xl bg-muted text-sm font-semibold text-gold-text"
    >
      {words.slice(0, 2).map((word) => word.charAt(0).toUpperCase())}
    </span>
  )
}
