import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { GalleryVerticalEnd } from 'lucide-react'
import { type ReactNode, useDeferredValue } from 'react'
import { ItemCardSkeleton } from '@/components/item-card'
import { useInventory } from '@/api/inventory'
import { useT } from '@/i18n'
import type { InventoryEntry } from '@/contract/types'
import { Button } from '@/components/ui/button'
import { EmptyState } from '@/components/ui/empty-state'
import { LoadedGrid } from '@/components/ui/loaded-grid'
import { Tabs, TabsPanel, TabsList, TabsTrigger } from '@/components/ui/tabs'
import { CollectionCard } from './collection-card'
import type { SellingSlots } from './selling-slots'
import { StatTiles } from './stat-tiles'
import { filtersOf } from './tab-filters'
import { inventoryTexts } from './texts'
import { type CollectionTab, collectionTabs } from './tabs'

interface CollectionProps extends SellingSlots<InventoryEntry> {
  /** Sell or delist buttons. */
  sell: (entry: InventoryEntry) => ReactNode
}

/** Everything the user owns. Signed out, it shows a skeleton. */
export function Collection({ sell, pick, selection }: CollectionProps) {
  const t = inventoryTexts.useT().collection
  const tabLabel = useTabLabel()
  const { tab = 'all' } = useSearch({ from: '/my-collection' })
  const navigate = useNavigate()
  const select = (next: CollectionTab) =>
    void navigate({ to: '/my-collection', search: { tab: next }, replace: true, resetScroll: false })
  // Deferred, so that the tab itself responds immediately.
  const shown = useDeferredValue(tab)
  const inventory = useInventory(filtersOf[shown])
  return (
    <div className="space-y-6">
      <StatTiles />
      <Tabs value={tab} onValueChange={(next) => select(next as CollectionTab)}>
        <TabsList label={t.tabs}>
          {collectionTabs.map((name) => (
            <TabsTrigger key={name} value={name}>
              {tabLabel(name)}
            </TabsTrigger>
          ))}
        </TabsList>
        <TabsPanel>
          <h2 className="sr-only">{tabLabel(shown)}</h2>
          {selection(inventory, shown)}
          <LoadedGrid
            key={shown}
            list={inventory}
            label={tabLabel(shown)}
            failed={t.failed}
            columns="grid-cols-2 lg:grid-cols-3 xl:grid-cols-5"
            skeleton={<ItemCardSkeleton pictureClassName="w-4/5" />}
            skeletonCount={10}
            empty={<NoEntries tab={shown} />}
            idOf={({ id }) => id}
          >
            {(entry) => <CollectionCard entry={entry} sell={sell(entry)} pick={pick?.(entry)} />}
          </LoadedGrid>
        </TabsPanel>
      </Tabs>
    </div>
  )
}

function useTabLabel(): (tab: CollectionTab) => string {
  const t = inventoryTexts.useT().collection
  const { rarities } = useT().catalogue
  return (tab) => (tab === 'all' || tab === 'listed' || tab === 'unlisted' ? t[tab] : rarities[tab])
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
