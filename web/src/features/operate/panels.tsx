import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { History, Layers, PackageOpen } from 'lucide-react'
import { useActivity } from '@/api/activity'
import { adminPacksQuery } from '@/api/admin'
import { itemsQuery } from '@/api/items'
import { ItemCard } from '@/domain/item-card'
import { useLanguage } from '@/i18n'
import { operateTexts } from './texts'
import type { Activity, AdminPack } from '@/lib/contract/types'
import { cn } from '@/lib/cn'
import { terms } from '@/lib/config'
import { dateTime } from '@/lib/format'
import { Art } from '@/ui/art'
import { Badge } from '@/ui/badge'
import { EmptyState } from '@/ui/empty-state'
import { Facts } from '@/ui/facts'
import { Loaded } from '@/ui/loaded'
import { LoadedGrid } from '@/ui/loaded-grid'
import { Skeleton } from '@/ui/skeleton'

const columns = 'grid-cols-2 lg:grid-cols-4 xl:grid-cols-5'
const grid = cn('grid gap-5', columns)
const places = 10
const recentlyShown = 10

function Waiting() {
  return (
    <div className={grid}>
      {Array.from({ length: places }, (_, index) => (
        <Skeleton key={index} className="h-64 rounded-2xl" />
      ))}
    </div>
  )
}

export function ItemsPanel() {
  const t = operateTexts.useT()
  const items = useInfiniteQuery(itemsQuery)
  return (
    <LoadedGrid
      list={items}
      label={t.tab.items}
      failed={t.itemsFailed}
      columns={columns}
      skeleton={<Skeleton className="h-76 rounded-2xl" />}
      places={places}
      empty={<EmptyState icon={<Layers />} title={t.noItems} text={t.noItemsText} level={3} />}
      idOf={({ id }) => id}
    >
      {(item) => (
        <ItemCard item={item} level={3} size="plain" pictureClassName="w-1/2" valueCents={item.baseValueCents} />
      )}
    </LoadedGrid>
  )
}

export function PacksPanel() {
  const t = operateTexts.useT()
  const packs = useQuery(adminPacksQuery)
  return (
    <Loaded
      query={packs}
      failed={t.packsFailed}
      skeleton={<Waiting />}
      empty={<EmptyState icon={<PackageOpen />} title={t.noPacks} text={t.noPacksText} level={3} />}
    >
      {(all) => (
        <ul className={grid}>
          {all.map((pack) => (
            <PackTile key={pack.id} pack={pack} />
          ))}
        </ul>
      )}
    </Loaded>
  )
}

function PackTile({ pack }: { pack: AdminPack }) {
  return (
    <li className="panel rounded-2xl p-4">
      <Art src={pack.coverImageUrl} alt="" loading="lazy" className="mx-auto h-36 w-auto" />
      <h3 className="mt-3 truncate text-sm font-medium">{pack.name}</h3>
      <p className="mt-2 flex items-center justify-between gap-2 text-sm">
        <PackState pack={pack} />
        <span className="font-semibold tabular-nums">{pack.price}</span>
      </p>
    </li>
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
  const activity = useActivity()
  return (
    <Loaded
      query={activity}
      failed={t.activityFailed}
      skeleton={<Skeleton className="h-80 rounded-2xl" />}
      empty={
        <EmptyState
          icon={<History />}
          title={t.noActivity}
          text={t.noActivityText}
          level={3}
          className="panel rounded-2xl"
        />
      }
    >
      {(records) => (
        <ul className="panel divide-y divide-line rounded-2xl px-5">
          {records.slice(0, recentlyShown).map((record) => (
            <Record key={record.id} record={record} />
          ))}
        </ul>
      )}
    </Loaded>
  )
}

function Record({ record }: { record: Activity }) {
  const t = operateTexts.useT()
  const language = useLanguage()
  return (
    <li className="flex items-baseline justify-between gap-4 py-3 text-sm">
      <span>
        <strong className="font-semibold">{record.user.firstName || t.user}</strong>{' '}
        <span className="text-muted-foreground">{t.opened(record.pack.name)}</span>
      </span>
      <time dateTime={record.createdAt} className="text-xs text-muted-foreground tabular-nums">
        {dateTime(record.createdAt, language)}
      </time>
    </li>
  )
}

export function SettingsPanel() {
  const t = operateTexts.useT().settings
  return (
    <div className="panel max-w-xl rounded-2xl p-6">
      <p className="text-sm text-muted-foreground">{t.text}</p>
      <Facts
        className="mt-4 divide-y divide-line *:py-3"
        facts={[
          { label: t.fee, value: t.feeValue(terms.feePercent) },
          { label: t.market, value: <Badge variant="positive">{t.active}</Badge> },
          { label: t.fair, value: <Badge variant="positive">{t.enabled}</Badge> },
          { label: t.seeds, value: <Badge variant="positive">{t.enabled}</Badge> },
        ]}
      />
    </div>
  )
}
