import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { History, Layers, PackageOpen } from 'lucide-react'
import type { ReactNode } from 'react'
import { useActivity } from '@/api/activity'
import { adminPacksQuery } from '@/api/admin'
import { itemsQuery } from '@/api/items'
import { useLanguage } from '@/i18n'
import { operateTexts } from './texts'
import type { AdminPack, Item } from '@/lib/contract/types'
import { cn } from '@/lib/cn'
import { terms } from '@/lib/config'
import { dateTime, dollars } from '@/lib/format'
import { Art } from '@/ui/art'
import { Badge } from '@/ui/badge'
import { EmptyState } from '@/ui/empty-state'
import { EndlessGrid } from '@/ui/endless-grid'
import { ErrorState } from '@/ui/error-state'
import { RarityBadge } from '@/domain/rarity-badge'
import { Skeleton } from '@/ui/skeleton'

const columns = 'grid-cols-2 lg:grid-cols-4 xl:grid-cols-5'
const grid = cn('grid gap-5', columns)
const recentlyShown = 10

function Waiting() {
  return (
    <div className={grid}>
      {Array.from({ length: 10 }, (_, index) => (
        <Skeleton key={index} className="h-64 rounded-2xl" />
      ))}
    </div>
  )
}

export function ItemsPanel() {
  const t = operateTexts.useT()
  const items = useInfiniteQuery(itemsQuery)
  if (items.isLoadingError) {
    return <ErrorState title={t.itemsFailed} error={items.error} retry={() => void items.refetch()} />
  }
  if (items.data === undefined) return <Waiting />
  if (items.data.length === 0) return <EmptyState icon={<Layers />} title={t.noItems} text={t.noItemsText} level={3} />
  return (
    <EndlessGrid
      list={items}
      label={t.tab.items}
      failed={t.itemsFailed}
      columns={columns}
      skeleton={<Skeleton className="h-64 rounded-2xl" />}
      idOf={({ id }) => id}
    >
      {(item) => <ItemCard item={item} />}
    </EndlessGrid>
  )
}

function ItemCard({ item }: { item: Item }) {
  const t = operateTexts.useT()
  return (
    <article className="panel h-full rounded-2xl p-4">
      <Art src={item.imageUrl} alt="" loading="lazy" className="mx-auto h-36 w-auto" />
      <h3 className="mt-3 line-clamp-2 min-h-10 text-sm leading-5 font-medium">{item.name}</h3>
      <p className="mt-1 truncate text-xs text-muted-foreground">{item.series}</p>
      <p className="mt-2 flex items-center justify-between gap-2 text-sm">
        <RarityBadge rarity={item.rarity} size="sm" />
        <span className="font-semibold tabular-nums" title={t.baseValue}>
          {dollars(item.baseValueCents)}
        </span>
      </p>
    </article>
  )
}

export function PacksPanel() {
  const t = operateTexts.useT()
  const packs = useQuery(adminPacksQuery)
  if (packs.isPending) return <Waiting />
  if (packs.isError) return <ErrorState title={t.packsFailed} error={packs.error} retry={() => void packs.refetch()} />
  if (packs.data.length === 0)
    return <EmptyState icon={<PackageOpen />} title={t.noPacks} text={t.noPacksText} level={3} />
  return (
    <ul className={grid}>
      {packs.data.map((pack) => (
        <li key={pack.id} className="panel rounded-2xl p-4">
          <Art src={pack.coverImageUrl} alt="" loading="lazy" className="mx-auto h-36 w-auto" />
          <h3 className="mt-3 truncate text-sm font-medium">{pack.name}</h3>
          <p className="mt-2 flex items-center justify-between gap-2 text-sm">
            <PackState pack={pack} />
            <span className="font-semibold tabular-nums">{pack.price}</span>
          </p>
        </li>
      ))}
    </ul>
  )
}

function PackState({ pack }: { pack: AdminPack }) {
  const t = operateTexts.useT()
  if (pack.paused) return <Badge title={pack.paused}>{t.paused}</Badge>
  if (!pack.isActive) return <Badge>{t.inactive}</Badge>
  return (
    <span className="flex gap-1.5">
      <Badge variant="positive">{t.active}</Badge>
      {pack.soldOut && <Badge>{t.soldOut}</Badge>}
    </span>
  )
}

export function ActivityPanel() {
  const t = operateTexts.useT()
  const language = useLanguage()
  const activity = useActivity()
  if (activity.isPending) return <Skeleton className="h-80 rounded-2xl" />
  if (activity.isError) {
    return <ErrorState title={t.activityFailed} error={activity.error} retry={() => void activity.refetch()} />
  }
  if (activity.data.length === 0) {
    return (
      <EmptyState
        icon={<History />}
        title={t.noActivity}
        text={t.noActivityText}
        level={3}
        className="panel rounded-2xl"
      />
    )
  }
  return (
    <ul className="panel divide-y divide-line rounded-2xl px-5">
      {activity.data.slice(0, recentlyShown).map((record) => (
        <li key={record.id} className="flex items-baseline justify-between gap-4 py-3 text-sm">
          <span>
            <strong className="font-semibold">{record.user.firstName || t.user}</strong>{' '}
            <span className="text-muted-foreground">{t.opened(record.pack.name)}</span>
          </span>
          <time dateTime={record.createdAt} className="text-xs text-muted-foreground tabular-nums">
            {dateTime(record.createdAt, language)}
          </time>
        </li>
      ))}
    </ul>
  )
}

export function SettingsPanel() {
  const t = operateTexts.useT().settings
  return (
    <div className="panel max-w-xl rounded-2xl p-6">
      <p className="text-sm text-muted-foreground">{t.text}</p>
      <dl className="mt-4 divide-y divide-line text-sm">
        <Setting label={t.fee}>{t.feeValue(terms.feePercent)}</Setting>
        <Setting label={t.market}>
          <Badge variant="positive">{t.active}</Badge>
        </Setting>
        <Setting label={t.fair}>
          <Badge variant="positive">{t.enabled}</Badge>
        </Setting>
        <Setting label={t.seeds}>
          <Badge variant="positive">{t.enabled}</Badge>
        </Setting>
      </dl>
    </div>
  )
}

function Setting({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className="flex items-center justify-between gap-4 py-3">
      <dt className="text-muted-foreground">{label}</dt>
      <dd className="font-semibold">{children}</dd>
    </div>
  )
}
