import { Link } from '@tanstack/react-router'
import { lazy, type ReactNode, Suspense } from 'react'
import { useNow } from '@/lib/use-now'
import { useEntry } from '@/api/inventory'
import { itemOf } from '@/components/shown-item'
import { useLanguage } from '@/i18n'
import { usePackName } from '@/i18n/names'
import { itemTexts } from './texts'
import { config } from '@/lib/config'
import type { EntryLife } from '@/contract/types'
import { dateTime, dollars } from '@/lib/format'
import { profitClass, profitOf, signedDollars } from '@/lib/profit'
import { Badge } from '@/components/ui/badge'
import { Button } from '@/components/ui/button'
import type { Fact } from '@/components/ui/facts'
import { Loaded } from '@/components/ui/loaded'
import { Skeleton } from '@/components/ui/skeleton'
import { ItemHeader, ItemHeaderSkeleton } from './item-header'
import { NotFound } from './not-found'

// Below the fold.
const History = lazy(() => import('./history'))

interface EntryPageProps {
  id: string
  /** Market and vault buttons, passed in by the route. */
  actions: (entry: EntryLife) => ReactNode
  /** The entry's bids, passed in by the route. */
  market: (entry: EntryLife) => ReactNode
}

/** One owned copy of an item with its history. Its owner also sees Kaibao's offer. */
export function EntryPage({ id, actions, market }: EntryPageProps) {
  const t = itemTexts.useT().entry
  return (
    <Loaded
      query={useEntry(id)}
      failed={t.failed}
      skeleton={<ItemHeaderSkeleton />}
      unknown={<NotFound title={t.unknown} text={t.unknownText} />}
    >
      {(entry) => <Detail entry={entry} actions={actions} market={market} />}
    </Loaded>
  )
}

function Detail({ entry, actions, market }: Pick<EntryPageProps, 'actions' | 'market'> & { entry: EntryLife }) {
  const t = itemTexts.useT().entry
  return (
    <div className="space-y-6">
      <ItemHeader
        item={itemOf(entry)}
        badges={entry.own && <Badge variant="gold">{t.yours}</Badge>}
        facts={useFacts(entry)}
        actions={
          <>
            {actions(entry)}
            <Button asChild variant="ghost" size="sm">
              <Link to="/item/$itemId" params={{ itemId: entry.item.id }}>
                {t.aboutItem}
              </Link>
            </Button>
          </>
        }
      />
      {market(entry)}
      <Suspense fallback={<Skeleton className="h-96 rounded-2xl" />}>
        <History events={entry.events} />
      </Suspense>
    </div>
  )
}

function useFacts({ item, state, vaulted, acquiredAt, ...entry }: EntryLife): Fact[] {
  const { entry: t, facts, listings } = itemTexts.useT()
  const packName = usePackName()
  const now = useNow()
  const { salePriceCents, sellBackCents, sellBackUntil, paidCents } = entry
  const ended = state === 'sold-back' || state === 'delivered' || state === 'made-good'
  const profit = ended ? undefined : profitOf({ item, paidCents })
  const floorHolds = config.rules.sellBack && sellBackUntil !== null && Date.parse(sellBackUntil) > now
  return [
    { label: t.state, value: t.states[state] },
    ...(salePriceCents === null ? [] : [{ label: listings.price, value: dollars(salePriceCents) }]),
    ...(ended ? [] : [{ label: t.where, value: vaulted ? listings.vaulted : listings.outside }]),
    { label: facts.baseValue, value: dollars(item.baseValueCents) },
    ...(paidCents === undefined
      ? []
      : [{ label: t.paid, value: entry.acquiredFrom === 'gift' ? t.gift : dollars(paidCents) }]),
    ...(profit === undefined
      ? []
      : [{ label: t.profit, value: signedDollars(profit), className: profitClass(profit) }]),
    ...(sellBackCents === null || !config.rules.sellBack
      ? []
      : [{ label: facts.sellBack, value: dollars(sellBackCents) }]),
    ...(floorHolds ? [{ label: t.floorUntil, value: <Time at={sellBackUntil} /> }] : []),
    { label: t.fromPack, value: packName(entry) },
    { label: t.acquired, value: <Time at={acquiredAt} /> },
  ]
}

function Time({ at }: { at: string }) {
  return <time dateTime={at}>{dateTime(at, useLanguage())}</time>
}
