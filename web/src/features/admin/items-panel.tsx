import { useInfiniteQuery } from '@tanstack/react-query'
import { Layers } from 'lucide-react'
import { lazy, startTransition, Suspense, useState } from 'react'
import { adminItemsQuery, type AdminItemFilter } from '@/api/admin-items'
import { usePackName } from '@/i18n/names'
import { ItemCard } from '@/components/item-card'
import type { AdminItem } from '@/contract/types'
import { terms } from '@/lib/config'
import { Badge } from '@/components/ui/badge'
import { Button } from '@/components/ui/button'
import { clearIfCurrent } from '@/components/ui/dialog'
import { AdminList } from './admin-list'
import { adminTexts } from './texts'

const EditItem = lazy(() => import('./edit-item'))

const statuses = ['current', 'retired'] as const

/** The catalogue; each item can be edited. */
export default function ItemsPanel() {
  const { admin: t, list: listTexts, editing } = adminTexts.useT()
  const itemTexts = editing.item
  const [filter, setFilter] = useState<AdminItemFilter>({})
  const [edited, setEdited] = useState<AdminItem>()
  const emptyText = useEmptyText(filter)
  return (
    <>
      <AdminList
        list={useInfiniteQuery(adminItemsQuery(filter))}
        label={t.tab.items}
        failed={t.itemsFailed}
        search={{
          label: itemTexts.search,
          value: filter.search,
          maxLength: terms.longestSearch,
          onSearch: (search) => setFilter({ ...filter, search }),
        }}
        filter={{
          label: listTexts.status,
          value: filter.retired ? 'retired' : 'current',
          options: statuses.map((status) => [status, itemTexts.statuses[status]] as const),
          onChange: (status) => setFilter({ ...filter, retired: status === 'retired' || undefined }),
        }}
        empty={{ icon: <Layers />, ...emptyText }}
        columns="grid-cols-2 lg:grid-cols-4 xl:grid-cols-5"
        entryHeight="h-88"
        skeletonCount={10}
        idOf={({ id }) => id}
      >
        {(item) => <Item item={item} onEdit={() => startTransition(() => setEdited(item))} />}
      </AdminList>
      <Suspense>{edited && <EditItem item={edited} onClose={() => setEdited(clearIfCurrent(edited))} />}</Suspense>
    </>
  )
}

function useEmptyText({ search, retired }: AdminItemFilter): { title: string; text: string } {
  const { admin: t, editing } = adminTexts.useT()
  const itemTexts = editing.item
  if (search) return { title: t.noItems, text: itemTexts.noneFound }
  if (retired) return { title: itemTexts.noneRetired, text: itemTexts.noneRetiredText }
  return { title: t.noItems, text: t.noItemsText }
}

function Item({ item, onEdit }: { item: AdminItem; onEdit: () => void }) {
  const t = adminTexts.useT().editing
  const packName = usePackName()
  return (
    <ItemCard
      item={item}
      level={3}
      size="plain"
      pictureClassName="w-1/2"
      valueCents={item.baseValueCents}
      badges={
        item.stock && (
          <>
            <Badge title={packName(item.stock)}>{t.item.stock(item.stock.left)}</Badge>
            {item.stock.waiting && <Badge>{t.item.restockWaits(item.stock.waiting)}</Badge>}
          </>
        )
      }
      actions={
        <Button size="sm" variant="secondary" className="w-full" aria-label={t.editOf(item.name)} onClick={onEdit}>
          {t.edit}
        </Button>
      }
    />
  )
}
