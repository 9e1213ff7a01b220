import { number } from '@/lib/format'
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { Plus } from 'lucide-react'
import { type ComponentType, lazy, startTransition, Suspense, useState } from 'react'
import { keyFiguresQuery } from '@/api/admin-figures'
import { adminTexts } from './texts'
import { Button } from '@/components/ui/button'
import { Skeleton } from '@/components/ui/skeleton'
import { Tabs, TabsList, TabsPanel, TabsTrigger } from '@/components/ui/tabs'
import { Tiles } from '@/components/ui/tiles'
import { type AdminTab, adminTabs } from './tabs'
import { ActivityPanel } from './activity-panel'
import { SettingsPanel } from './settings-panel'

const ApprovalsPanel = lazy(() => import('./approvals/approvals-panel'))
const CatalogueFiles = lazy(() => import('./import/catalogue-files'))
const ClaimsPanel = lazy(() => import('./claims-panel'))
const CreateItem = lazy(() => import('./create-item'))
const ItemsPanel = lazy(() => import('./items-panel'))
const PackEditor = lazy(() => import('./pack-editor'))
const PacksPanel = lazy(() => import('./packs-panel'))
const DepositsPanel = lazy(() => import('./deposits-panel'))
const SealedPanel = lazy(() => import('./sealed/sealed-panel'))
const OverviewPanel = lazy(() => import('./overview-panel'))
const LogPanel = lazy(() => import('./log/log-panel'))
const UsersPanel = lazy(() => import('./users-panel'))

const panels: Record<AdminTab, ComponentType> = {
  items: ItemsPanel,
  packs: PacksPanel,
  sealed: SealedPanel,
  deposits: DepositsPanel,
  claims: ClaimsPanel,
  users: UsersPanel,
  overview: OverviewPanel,
  approvals: ApprovalsPanel,
  trail: LogPanel,
  activity: ActivityPanel,
  settings: SettingsPanel,
}

export function AdminTabs() {
  const t = adminTexts.useT().admin
  const { tab = 'items' } = useSearch({ from: '/admin' })
  const waiting = useQuery(keyFiguresQuery).data?.totals.approvals ?? 0
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
              {name === 'approvals' && waiting > 0 ? t.approvalsTab(waiting) : t.tab[name]}
            </TabsTrigger>
          ))}
        </TabsList>
        <TabsPanel className="mt-4">
          <div className="mb-4 flex items-center justify-between gap-4">
            <h2 className="text-lg font-semibold">{t.tab[tab]}</h2>
            {tab === 'items' && (
              <div className="flex flex-wrap justify-end gap-3">
                <Suspense>
                  <CatalogueFiles />
                </Suspense>
                <CreateButton label={t.createItem} form={CreateItem} />
              </div>
            )}
            {tab === 'packs' && <CreateButton label={t.createPack} form={PackEditor} />}
          </div>
          <Suspense fallback={<Skeleton className="h-80 rounded-2xl" />}>
            <Panel />
          </Suspense>
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
        <span>{label}</span>
      </Button>
      <Suspense>{open && <Form onClose={() => setOpen(false)} />}</Suspense>
    </>
  )
}

function counted(count: number | undefined): string | undefined {
  return count === undefined ? undefined : number(count)
}

function Figures() {
  const t = adminTexts.useT().admin
  const metrics = useQuery(keyFiguresQuery)
  const totals = metrics.data?.totals
  return (
    <Tiles
      query={metrics}
      failed={t.metricsFailed}
      columns="grid-cols-2 lg:grid-cols-4"
      tiles={[
        { label: t.tiles.items, value: counted(totals?.items) },
        { label: t.tiles.packs, value: counted(totals?.packs) },
        { label: t.tiles.activities, value: counted(totals?.activities) },
        { label: t.tiles.activePacks, value: counted(totals?.activePacks) },
      ]}
    />
  )
}
