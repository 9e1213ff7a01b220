import { Link, useSearch } from '@tanstack/react-router'
import { ArrowLeftRight } from 'lucide-react'
import { useMemo } from 'react'
import { tradesCsvUrl, useNewTrades, useTrades } from '@/api/activity'
import { useLanguage } from '@/i18n'
import { config } from '@/lib/config'
import type { Trade } from '@/contract/types'
import { dateTime, dollars } from '@/lib/format'
import { Art } from '@/components/ui/art'
import { Button } from '@/components/ui/button'
import { EmptyState } from '@/components/ui/empty-state'
import { NewRowsButton } from '@/components/ui/new-rows-button'
import { LoadedGrid } from '@/components/ui/loaded-grid'
import { Skeleton } from '@/components/ui/skeleton'
import { ActivityFilter } from './activity-filter'
import { activitySearch, type ActivitySearch, tradeFilterOf } from './activity-search'
import { activityTexts } from './texts'

/** All trades, or those that match the URL's filter. */
export function Activity() {
  const t = activityTexts.useT()
  const search = useSearch({ strict: false, select: activitySearch })
  const filter = useMemo(() => tradeFilterOf(search), [search])
  const trades = useTrades(filter)
  return (
    <section aria-label={t.all} className="space-y-4">
      <ActivityFilter
        search={search}
        csvUrl={tradesCsvUrl(filter)}
        itemName={trades.data?.find(({ itemId }) => itemId === search.item)?.itemName}
      />
      <NewRowsButton {...useNewTrades(filter)} />
      <LoadedGrid
        list={trades}
        label={t.all}
        failed={t.failed}
        columns="grid-cols-1"
        gap={10}
        skeleton={<Skeleton className="h-20 rounded-xl" />}
        idOf={({ id, side }) => `${id} ${side ?? ''}`}
        empty={<Empty search={search} />}
      >
        {(trade) => <TradeRow trade={trade} />}
      </LoadedGrid>
    </section>
  )
}

function Empty({ search: { item, series, kind, mine } }: { search: ActivitySearch }) {
  const t = activityTexts.useT()
  const filtered = item !== undefined || series !== undefined || kind !== undefined
  const [title, text] = filtered
    ? [t.noMatch, t.noMatchText]
    : mine
      ? [t.emptyMine, t.emptyMineText]
      : [t.empty, t.emptyText]
  return (
    <EmptyState
      icon={<ArrowLeftRight />}
      title={title}
      text={text}
      action={
        (filtered || config.rules.market) && (
          <Button asChild variant="secondary">
            {filtered ? <Link to="/activity">{t.showAll}</Link> : <Link to="/marketplace">{t.toMarket}</Link>}
          </Button>
        )
      }
      className="panel rounded-2xl"
    />
  )
}

function TradeRow({ trade: { kind, side, at, itemId, itemName, imageUrl, priceCents } }: { trade: Trade }) {
  const t = activityTexts.useT()
  const language = useLanguage()
  return (
    <div className="panel flex items-center gap-4 rounded-xl px-5 py-3">
      <Art src={imageUrl} alt="" loading="lazy" className="h-14 w-9 shrink-0 object-contain" />
      <div className="min-w-0 grow">
        <p className="truncate font-medium">
          <Link
            to="/item/$itemId"
            params={{ itemId }}
            className="rounded-sm underline-offset-4 hover:text-gold-text hover:underline"
          >
            {itemName}
          </Link>
        </p>
        <p className="text-sm text-muted-foreground tabular-nums">
          <span>{`${side ? `${t.sides[side]} · ${t.kinds[kind]}` : t.kinds[kind]} · `}</span>
          <time dateTime={at}>{dateTime(at, language)}</time>
        </p>
      </div>
      <p className="text-lg font-semibold tabular-nums">{dollars(priceCents)}</p>
    </div>
  )
}
