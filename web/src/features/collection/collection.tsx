import { Link } from '@tanstack/react-router'
import { GalleryVerticalEnd } from 'lucide-react'
import { useState } from 'react'
import { type Dictionary, useT } from '@/i18n'
import type { InventoryEntry } from '@/lib/api/types'
import { Button } from '@/ui/button'
import { EmptyState } from '@/ui/empty-state'
import { ErrorState } from '@/ui/error-state'
import { ShowMore } from '@/ui/show-more'
import { Tabs, TabsPanel, TabsList, TabsTrigger } from '@/ui/tabs'
import { useInventory, useInventorySummary } from './api/inventory'
import { CollectionCard, CollectionCardSkeleton } from './collection-card'
import { StatTiles } from './stat-tiles'
import { type CollectionTab, collectionTabs } from './tabs'

const grid = 'grid grid-cols-3 gap-5 xl:grid-cols-5'
const skeletons = 10

/** Everything the visitor owns. Without a wallet it shows the shape of a collection and nothing of anybody's. */
export function Collection() {
  const t = useT()
  const [tab, setTab] = useState<CollectionTab>('all')
  const inventory = useInventory(tab)
  const summary = useInventorySummary()
  return (
    <div className="space-y-6">
      <StatTiles totals={summary.data} />
      <Tabs value={tab} onValueChange={(next) => setTab(next as CollectionTab)}>
        <TabsList label={t.collection.tabs}>
          {collectionTabs.map((name) => (
            <TabsTrigger key={name} value={name}>
              {tabLabel(name, t)}
            </TabsTrigger>
          ))}
        </TabsList>
        <TabsPanel>
          <h2 className="sr-only">{tabLabel(tab, t)}</h2>
          {inventory.isError ? (
            <ErrorState
              title={t.collection.failed}
              error={inventory.error}
              retry={() => void inventory.refetch()}
            />
          ) : inventory.isPending ? (
            <div className={grid}>
              {Array.from({ length: skeletons }, (_, index) => (
                <CollectionCardSkeleton key={index} />
              ))}
            </div>
          ) : (
            <>
              <Entries entries={inventory.data} tab={tab} />
              <ShowMore text={t.collection.showMore} list={inventory} />
            </>
          )}
        </TabsPanel>
      </Tabs>
    </div>
  )
}

function tabLabel(tab: CollectionTab, { collection, catalogue }: Dictionary): string {
  if (tab === 'all' || tab === 'listed' || tab === 'unlisted') return collection[tab]
  return catalogue.rarities[tab]
}

function Entries({ entries, tab }: { entries: readonly InventoryEntry[]; tab: CollectionTab }) {
  const t = useT()
  if (entries.length === 0) {
    return (
      <EmptyState
        icon={<GalleryVerticalEnd />}
        title={t.collection.emptyTitle}
        text={
          tab === 'all' ? t.collection.emptyAll : t.collection.emptyTab(tabLabel(tab, t))
        }
        action={
          <Button asChild>
            <Link to="/open-packs">{t.collection.openPacks}</Link>
          </Button>
        }
      />
    )
  }
  return (
    <ul className={grid}>
      {entries.map((entry) => (
        <li key={entry.id}>
          <CollectionCard entry={entry} />
        </li>
      ))}
    </ul>
  )
}
