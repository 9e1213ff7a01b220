import { Link, useLocation, useNavigate } from '@tanstack/react-router'
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
import { packsOnTab, type StoreTab, storeTabs, tabOfHash } from './store-tabs'
import { PackGrid, PackGridSkeleton } from './pack-grid'

const storeSize = 8

/** The store's tabs. The URL hash is the only state of the selected tab. */
export function Store({ action }: { action: (pack: Pack) => ReactNode }) {
  const t = useT().catalogue
  const navigate = useNavigate()
  const tab = tabOfHash(useLocation({ select: (location) => location.hash }))
  // Deferred, so that the tab itself responds immediately.
  const shown = useDeferredValue(tab)
  const select = (next: string) =>
    void navigate({ to: '/open-packs', hash: next, replace: true, resetScroll: false, hashScrollIntoView: false })
  const label = (name: StoreTab) => (name === 'featured' ? t.store.featured : t.categories[name])
  return (
    <Tabs value={tab} onValueChange={select}>
      <TabsList label={t.store.title}>
        {storeTabs.map((name) => (
          <TabsTrigger key={name} value={name}>
            {label(name)}
          </TabsTrigger>
        ))}
      </TabsList>
      <TabsPanel className="mt-6">
        <h2 className="sr-only">{label(shown)}</h2>
        <TabPacks tab={shown} action={action} />
      </TabsPanel>
    </Tabs>
  )
}

function TabPacks({ tab, action }: { tab: StoreTab; action: (pack: Pack) => ReactNode }) {
  const t = useT().catalogue.store
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
        const shown = packsOnTab(all, tab)
        return shown.length > 0 ? <PackGrid packs={shown} action={action} /> : <NoPacks tab={tab} />
      }}
    </Loaded>
  )
}

function NoPacks({ tab }: { tab: StoreTab }) {
  const t = useT().catalogue.store
  return (
    <EmptyState
      icon={<PackageOpen />}
      title={t.empty}
      text={t.emptyText}
      action={
        tab !== 'featured' && (
          <Button asChild variant="secondary">
            <Link to="/open-packs" hash="featured">
              {t.showAll}
            </Link>
          </Button>
        )
      }
    />
  )
}
