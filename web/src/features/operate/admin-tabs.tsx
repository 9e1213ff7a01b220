import { number } from '@/lib/format'
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { Plus } from 'lucide-react'
import { type ComponentType, lazy, startTransition, Suspense, useState } from 'react'
import { useActivity } from '@/api/activity'
import { adminPacksQuery } from '@/api/admin'
import { itemCountQuery } from '@/api/items'
import { operateTexts } from './texts'
import { Button } from '@/ui/button'
import { Tabs, TabsList, TabsPanel, TabsTrigger } from '@/ui/tabs'
import { Tiles } from '@/ui/tiles'
import { type AdminTab, adminTabs } from './tabs'
import { ActivityPanel, ItemsPanel, PacksPanel, SettingsPanel } from './panels'

const CreateItem = lazy(() => import('./create-item'))
const CreatePack = lazy(() => import('./create-pack'))

const panels: Record<AdminTab, ComponentType> = {
  items: ItemsPanel,
  packs: PacksPanel,
  activity: ActivityPanel,
  settings: SettingsPanel,
}

/** The operator's page. */
export function AdminTabs() {
  const t = operateTexts.useT()
  const { tab = 'items' } = useSearch({ from: '/admin' })
  const navigate = useNavigate()
  const select = (next: AdminTab) =>
    void navigate({ to: '/admin', search: { tab: next }, replace: true, resetScroll: false })
  const Panel = panels[tab]
  return (
    <div className="space-y-6">
      <Figures />
      <Tabs value={tab} onValueChange={(next) => select(next as AdminTab)}>
        <TabsList label={t.tabs}>
          {adminTabs.map((name) => (
            <TabsTrigger key={name} value={name}>
              {t.tab[name]}
            </TabsTrigger>
          ))}
        </TabsList>
        <TabsPanel className="mt-4">
          <div className="mb-4 flex items-center justify-between gap-4">
            <h2 className="text-lg font-semibold">{t.tab[tab]}</h2>
            {tab === 'items' && <CreateButton label={t.createItem} form={CreateItem} />}
            {tab === 'packs' && <CreateButton label={t.createPack} form={CreatePack} />}
          </div>
          <Panel />
        </TabsPanel>
      </Tabs>
    </div>
  )
}

interface CreateButtonProps {
  label: string
  form: ComponentType<{ onClose: () => void }>
}

function CreateButton({ label, form: Form }: CreateButtonProps) {
  const [open, setOpen] = useState(false)
  return (
    <>
      <Button onClick={() => startTransition(() => setOpen(true))}>
        <Plus aria-hidden />
        {label}
      </Button>
      <Suspense>{open && <Form onClose={() => setOpen(false)} />}</Suspense>
    </>
  )
}

function counted(count: number | undefined): string | undefined {
  return count === undefined ? undefined : number(count)
}

function Figures() {
  const t = operateTexts.useT()
  const items = useQuery(itemCountQuery)
  const packs = useQuery(adminPacksQuery)
  const activity = useActivity()
  const [asked = { query: items, failed: t.itemsFailed }] = [
    { query: items, failed: t.itemsFailed },
    { query: packs, failed: t.packsFailed },
    { query: activity, failed: t.activityFailed },
  ].filter(({ query }) => query.isLoadingError)
  return (
    <Tiles
      {...asked}
      columns="grid-cols-2 lg:grid-cols-4"
      tiles={[
        { label: t.tiles.items, value: counted(items.data) },
        { label: t.tiles.packs, value: counted(packs.data?.length) },
        { label: t.tiles.activities, value: counted(activity.data?.length) },
        {
          label: t.tiles.activePacks,
          value: counted(packs.data?.filter(({ isActive }) => isActive).length),
        },
      ]}
    />
  )
}
