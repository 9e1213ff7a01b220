import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { GalleryVerticalEnd, Search } from 'lucide-react'
import { lazy, type ReactNode, Suspense, useDeferredValue } from 'react'
import { ItemCardSkeleton } from '@/components/item-card'
import { useInventory } from '@/api/inventory'
import { useT } from '@/i18n'
import type { InventoryEntry, ItemFilter } from '@/contract/types'
import { config } from '@/lib/config'
import { Button } from '@/components/ui/button'
import { EmptyState } from '@/components/ui/empty-state'
import { LoadedGrid } from '@/components/ui/loaded-grid'
import { Skeleton } from '@/components/ui/skeleton'
import { Tabs, TabsPanel, TabsList, TabsTrigger } from '@/components/ui/tabs'
import { CollectionCard } from './collection-card'
import type { SellingSlots } from './selling-slots'
import { StatTiles } from './stat-tiles'
import { filterOfTab } from './tab-filters'
import { inventoryTexts } from './texts'
import { type CollectionTab, collectionTabs, type CollectionView, collectionViews } from './tabs'

const ValueOverTime = lazy(() => import('./value/value-over-time'))

interface EntriesProps extends SellingSlots<InventoryEntry> {
  filter: ItemFilter
  clear: () => void
  filterBar: ReactNode
  /** Sell or delist buttons. */
  sell: (entry: InventoryEntry) => ReactNode
}

interface CollectionProps extends EntriesProps {
  /** The list of sets. */
  sets: ReactNode
}

/** Everything the user owns: the cards, what they were worth over time, and the sets. Signed out, it shows a skeleton. */
export function Collection({ sets, ...entries }: CollectionProps) {
  const t = inventoryTexts.useT().collection
  const search = useSearch({ from: '/my-collection' })
  const { view = 'cards' } = search
  const navigate = useNavigate()
  const panels: Record<CollectionView, ReactNode> = {
    cards: <Entries {...entries} />,
    value: (
      <Suspense fallback={<Skeleton className="h-96 rounded-2xl" />}>
        <ValueOverTime />
      </Suspense>
    ),
    sets,
  }
  return (
    <div className="space-y-6">
      <StatTiles />
      <Tabs
        value={view}
        onValueChange={(next) =>
          void navigate({
            to: '/my-collection',
            search: { ...search, view: next as CollectionView },
            replace: true,
            resetScroll: false,
          })
        }
      >
        <TabsList label={t.views}>
          {collectionViews.map((name) => (
            <TabsTrigger key={name} value={name}>
              {t.viewNames[name]}
            </TabsTrigger>
          ))}
        </TabsList>
        <TabsPanel>{panels[view]}</TabsPanel>
      </Tabs>
    </div>
  )
}

/** The user's entries, by state or rarity. */
function Entries({ filter, clear, filterBar, sell, pick, selection }: EntriesProps) {
  const t = inventoryTexts.useT().collection
  const tabLabel = useTabLabel()
  const search = useSearch({ from: '/my-collection' })
  const { tab = 'all' } = search
  const navigate = useNavigate()
  const select = (next: CollectionTab) =>
    void navigate({
      to: '/my-collection',
      search: { ...search, tab: next },
      replace: true,
      resetScroll: false,
    })
  // Deferred, so that the tab itself responds immediately.
  const shown = useDeferredValue(tab)
  const inventory = useInventory(filterOfTab[shown], filter)
  const filtered = Object.keys(filter).length > 0
  return (
    <>
      {filterBar}
      <Tabs value={tab} onValueChange={(next) => select(next as CollectionTab)}>
        <TabsList label={t.tabs}>
          {collectionTabs.filter(isAvailable).map((name) => (
            <TabsTrigger key={name} value={name}>
              {tabLabel(name)}
            </TabsTrigger>
          ))}
        </TabsList>
        <TabsPanel className="mt-6">
          <h2 className="sr-only">{tabLabel(shown)}</h2>
          {selection(inventory, shown + JSON.stringify(filter))}
          <LoadedGrid
            key={shown}
            list={inventory}
            label={tabLabel(shown)}
            failed={t.failed}
            columns="grid-cols-2 lg:grid-cols-3 xl:grid-cols-5"
            skeleton={<ItemCardSkeleton pictureClassName="w-4/5" />}
            skeletonCount={10}
            empty={filtered ? <NoMatches clear={clear} /> : <NoEntries tab={shown} />}
            idOf={({ id }) => id}
          >
            {(entry) => <CollectionCard entry={entry} sell={sell(entry)} pick={pick?.(entry)} />}
          </LoadedGrid>
        </TabsPanel>
      </Tabs>
    </>
  )
}

/** Gifts need a market. */
const isAvailable = (tab: CollectionTab) => tab !== 'giving' || config.rules.market

function useTabLabel(): (tab: CollectionTab) => string {
  const { collection: t, states } = inventoryTexts.useT()
  const { rarities } = useT().catalogue
  return (tab) => {
    if (tab === 'all' || tab === 'listed' || tab === 'unlisted') return t[tab]
    return tab === 'shipping' || tab === 'giving' ? states[tab] : rarities[tab]
  }
}

function NoMatches({ clear }: { clear: () => void }) {
  const t = inventoryTexts.useT().vault
  return (
    <EmptyState
      icon={<Search />}
      title={t.noMatchTitle}
      text={t.noMatchText}
      action={<Button onClick={clear}>{t.clearAll}</Button>}
    />
  )
}

function NoEntries({ tab }: { tab: CollectionTab }) {
  const t = inventoryTexts.useT().collection
  const tabLabel = useTabLabel()
  return (
    <EmptyState
      icon={<GalleryVerticalEnd />}
      title={t.emptyTitle}
      text={tab === 'all' ? t.emptyAll : t.emptyTab(tabLabel(tab))}
      action={
        <Button asChild>
          <Link to="/open-packs">{t.openPacks}</Link>
        </Button>
      }
    />
  )
}
