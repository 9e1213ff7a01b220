import { useInfiniteQuery } from '@tanstack/react-query'
import { Layers, Search } from 'lucide-react'
import { type FormEvent, lazy, startTransition, Suspense, useId, useState } from 'react'
import { adminItemsQuery, type ItemFilter } from '@/api/admin-items'
import { ItemCard } from '@/components/item-card'
import type { AdminItem } from '@/contract/types'
import { terms } from '@/lib/config'
import { Badge } from '@/components/ui/badge'
import { Button } from '@/components/ui/button'
import { clearIfCurrent } from '@/components/ui/dialog'
import { EmptyState } from '@/components/ui/empty-state'
import { Input } from '@/components/ui/input'
import { LoadedGrid } from '@/components/ui/loaded-grid'
import { Select } from '@/components/ui/select'
import { Skeleton } from '@/components/ui/skeleton'
import { adminTexts } from './texts'

const EditItem = lazy(() => import('./edit-item'))

const places = 10

/** The catalogue, item by item, with a way to edit each. */
export default function ItemsPanel() {
  const t = adminTexts.useT().admin
  const [choice, setChoice] = useState<ItemFilter>({})
  const [editing, setEditing] = useState<AdminItem>()
  const items = useInfiniteQuery(adminItemsQuery(choice))
  return (
    <div className="space-y-4">
      <Finder choice={choice} onChoose={setChoice} />
      <LoadedGrid
        list={items}
        label={t.tab.items}
        failed={t.itemsFailed}
        columns="grid-cols-2 lg:grid-cols-4 xl:grid-cols-5"
        skeleton={<Skeleton className="h-88 rounded-2xl" />}
        places={places}
        empty={<None choice={choice} />}
        idOf={({ id }) => id}
      >
        {(item) => <Item item={item} onEdit={() => startTransition(() => setEditing(item))} />}
      </LoadedGrid>
      <Suspense>{editing && <EditItem item={editing} onClose={() => setEditing(clearIfCurrent(editing))} />}</Suspense>
    </div>
  )
}

function None({ choice: { search, retired } }: { choice: ItemFilter }) {
  const t = adminTexts.useT().admin
  const words = adminTexts.useT().editing.item
  const [title, text] = search
    ? [t.noItems, words.noneFound]
    : retired
      ? [words.noneRetired, words.noneRetiredText]
      : [t.noItems, t.noItemsText]
  return <EmptyState icon={<Layers />} title={title} text={text} level={3} />
}

function Item({ item, onEdit }: { item: AdminItem; onEdit: () => void }) {
  const t = adminTexts.useT().editing
  return (
    <ItemCard
      item={item}
      level={3}
      size="plain"
      pictureClassName="w-1/2"
      valueCents={item.baseValueCents}
      badges={item.stock && <Badge title={item.stock.packName}>{t.item.stock(item.stock.left)}</Badge>}
      actions={
        <Button size="sm" variant="secondary" className="w-full" aria-label={t.editOf(item.name)} onClick={onEdit}>
          {t.edit}
        </Button>
      }
    />
  )
}

interface FinderProps {
  choice: ItemFilter
  onChoose: (choice: ItemFilter) => void
}

function Finder({ choice, onChoose }: FinderProps) {
  const t = adminTexts.useT().editing.item
  const [search, setSearch] = useState(choice.search ?? '')
  const id = useId()
  const find = (event: FormEvent) => {
    event.preventDefault()
    onChoose({ ...choice, search: search.trim() || undefined })
  }
  return (
    <form role="search" onSubmit={find} className="flex flex-wrap items-center gap-3">
      <Input
        type="search"
        aria-label={t.search}
        placeholder={t.search}
        value={search}
        maxLength={terms.longestSearch}
        onChange={({ target }) => setSearch(target.value)}
        autoComplete="off"
        className="w-80"
      />
      <Button type="submit" variant="secondary" className="h-11">
        <Search aria-hidden />
        <span>{t.find}</span>
      </Button>
      <label htmlFor={id} className="ml-auto text-sm text-muted-foreground">
        {t.show}
      </label>
      <Select
        id={id}
        value={String(choice.retired === true)}
        onChange={({ target }) => onChoose({ ...choice, retired: target.value === 'true' || undefined })}
        className="w-44"
      >
        <option value="false">{t.shown.current}</option>
        <option value="true">{t.shown.retired}</option>
      </Select>
    </form>
  )
}
