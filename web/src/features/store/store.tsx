import { Link, useLocation, useNavigate, useSearch } from '@tanstack/react-router'
import { PackageOpen } from 'lucide-react'
import { type ReactNode, useDeferredValue } from 'react'
import { usePacks } from '@/api/packs'
import { useT } from '@/i18n'
import type { Pack } from '@/contract/types'
import { config } from '@/lib/config'
import { Button } from '@/components/ui/button'
import { EmptyState } from '@/components/ui/empty-state'
import { Loaded } from '@/components/ui/loaded'
import { Tabs, TabsPanel, TabsList, TabsTrigger } from '@/components/ui/tabs'
import { SortSelect } from './sort-select'
import { sortedPacks } from './sorted-packs'
import { type PackSort, storeSearch } from './store-search'
import { packsOnTab, type StoreTab, storeTabs, tabOfHash } from './store-tabs'
import { PackGrid, PackGridSkeleton } from './pack-grid'
import { storeTexts } from './texts'

const storeSize = 8

/** The store's tabs. The URL holds the selected tab, as its hash, and the order of the packs. */
export function Store({ action }: { action: (pack: Pack) => ReactNode }) {
  const t = useT().catalogue
  const navigate = useNavigate()
  const tab = tabOfHash(useLocation({ select: (location) => location.hash }))
  const { sort } = useSearch({ strict: false, select: storeSearch })
  // Deferred, so that the tab itself responds immediately.
  const shown = useDeferredValue(tab)
  const select = (next: string) =>
    void navigate({
      to: '/open-packs',
      search: true,
      hash: next,
      replace: true,
      resetScroll: false,
      hashScrollIntoView: false,
    })
  const label = (name: StoreTab) => (name === 'featured' ? t.store.featured : t.categories[name])
  return (
    <Tabs value={tab} onValueChange={select}>
      <div className="flex flex-wrap items-center justify-between gap-4">
        <TabsList label={t.store.title}>
          {storeTabs.map((name) => (
            <TabsTrigger key={name} value={name}>
              {label(name)}
            </TabsTrigger>
          ))}
        </TabsList>
        <SortSelect sort={sort} />
      </div>
      <TabsPanel className="mt-6">
        <h2 className="sr-only">{label(shown)}</h2>
        <TabPacks tab={shown} sort={sort} action={action} />
      </TabsPanel>
    </Tabs>
  )
}

interface TabPacksProps {
  tab: StoreTab
  sort: PackSort | undefined
  action: (pack: Pack) => ReactNode
}

function TabPacks({ tab, sort, action }: TabPacksProps) {
  const t = storeTexts.useT().store
  const packs = usePacks()
  return (
    <Loaded
      query={packs}
      failed={t.failed}
      skeleton={
        tab === 'featured' ? (
          <PackGridSkeleton cards={storeSize} covers={config.covers} />
        ) : (
          <PackGridSkeleton cards={1} />
        )
      }
    >
      {(all) => {
        const shown = sortedPacks(packsOnTab(all, tab), sort)
        return shown.length > 0 ? <PackGrid packs={shown} action={action} /> : <NoPacks tab={tab} />
      }}
    </Loaded>
  )
}

function NoPacks({ tab }: { tab: StoreTab }) {
  const t = storeTexts.useT().store
  return (
    <EmptyState
      icon={<PackageOpen />}
      title={t.empty}
      text={t.emptyText}
      action={
        tab !== 'featured' && (
          <Button asChild variant="secondary">
            <Link to="/open-packs" search={true} hash="featured">
              {t.showAll}
            </Link>
          </Button>
        )
      }
    />
  )
}
