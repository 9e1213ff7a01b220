import { useQuery } from '@tanstack/react-query'
import { Plus } from 'lucide-react'
import { type ComponentType, lazy, startTransition, Suspense, useState } from 'react'
import { operateTexts } from '@/i18n/operate'
import { Button } from '@/ui/button'
import { Skeleton } from '@/ui/skeleton'
import { Tabs, TabsList, TabsPanel, TabsTrigger } from '@/ui/tabs'
import { activityQuery, itemCountQuery, packsQuery } from './api/lists'
import { ActivityPanel, ItemsPanel, PacksPanel, SettingsPanel } from './panels'

const CreateItem = lazy(() => import('./create-item'))
const CreatePack = lazy(() => import('./create-pack'))

const panels = { items: ItemsPanel, packs: PacksPanel, activity: ActivityPanel, settings: SettingsPanel }
const tabs = ['items', 'packs', 'activity', 'settings'] as const

/** The operator's page. */
export function Desk() {
  const t = operateTexts.useT()
  const [tab, setTab] = useState<keyof typeof panels>('items')
  const Panel = panels[tab]
  return (
    <div className="space-y-6">
      <Tiles />
      <Tabs value={tab} onValueChange={(next) => setTab(next as keyof typeof panels)}>
        <TabsList label={t.tabs}>
          {tabs.map((name) => (
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

function Tiles() {
  const t = operateTexts.useT().tiles
  const items = useQuery(itemCountQuery)
  const packs = useQuery(packsQuery)
  const activity = useQuery(activityQuery)
  const tiles = [
    { label: t.items, value: items.data },
    { label: t.packs, value: packs.data?.length },
    { label: t.activities, value: activity.data?.length },
    { label: t.activePacks, value: packs.data?.filter(({ isActive }) => isActive).length },
  ]
  return (
    <dl className="grid grid-cols-2 gap-4 lg:grid-cols-4">
      {tiles.map(({ label, value }) => (
        <div key={label} className="panel rounded-2xl px-5 py-4">
          <dt className="text-sm text-muted-foreground">{label}</dt>
          <dd className="mt-1 text-2xl font-semibold tracking-tight tabular-nums">
            {value?.toLocaleString('en') ?? <Skeleton className="my-1 h-7 w-16" />}
          </dd>
        </div>
      ))}
    </dl>
  )
}
