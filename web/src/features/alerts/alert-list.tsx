import { Link } from '@tanstack/react-router'
import {
  Banknote,
  Bell,
  CircleCheck,
  CircleOff,
  Clock,
  Handshake,
  type LucideIcon,
  Sparkles,
  Tag,
  TrendingUp,
} from 'lucide-react'
import { useEffect } from 'react'
import { useAlerts, useReadAlerts } from '@/api/alerts'
import { useLanguage, useT } from '@/i18n'
import { cn } from '@/lib/cn'
import { config } from '@/lib/config'
import type { Alert } from '@/contract/types'
import { dateTime, dollars } from '@/lib/format'
import { Badge } from '@/components/ui/badge'
import { Button } from '@/components/ui/button'
import { EmptyState } from '@/components/ui/empty-state'
import { LoadedGrid } from '@/components/ui/loaded-grid'
import { Skeleton } from '@/components/ui/skeleton'
import { alertsTexts } from './texts'

/** All that the visitor is told. Whoever looks has read it; what was new stays marked until they look again. */
export function AlertList() {
  const t = alertsTexts.useT()
  const alerts = useAlerts()
  const { mutate: read } = useReadAlerts()
  const newest = alerts.data?.[0]
  const unread = newest && !newest.read ? newest.id : undefined
  useEffect(() => {
    if (unread !== undefined) read(unread)
  }, [unread, read])
  return (
    <LoadedGrid
      list={alerts}
      label={t.title}
      failed={t.failed}
      columns="grid-cols-1"
      gap={8}
      skeleton={<Skeleton className="h-22 rounded-2xl" />}
      places={4}
      idOf={({ id }) => id}
      empty={
        <EmptyState
          icon={<Bell />}
          title={t.empty}
          text={t.emptyText}
          action={
            config.rules.market && (
              <Button asChild>
                <Link to="/marketplace">{t.toMarketplace}</Link>
              </Button>
            )
          }
          className="panel rounded-2xl"
        />
      }
    >
      {(alert) => <Row alert={alert} />}
    </LoadedGrid>
  )
}

type What = Alert['kind'] | 'sold'

/** What an alert tells: filled without a bid is what the visitor sold. */
const whatOf = ({ kind, bidId }: Alert): What => (kind === 'filled' && !bidId ? 'sold' : kind)

const icons: Record<What, LucideIcon> = {
  price: Tag,
  listing: Sparkles,
  outbid: TrendingUp,
  filled: CircleCheck,
  sold: Banknote,
  counter: Handshake,
  expiring: Clock,
  ended: CircleOff,
}

function Row({ alert }: { alert: Alert }) {
  const t = alertsTexts.useT()
  const language = useLanguage()
  const { at, read } = alert
  const what = whatOf(alert)
  const Icon = icons[what]
  return (
    <article className="panel flex items-center gap-4 rounded-2xl p-4">
      <span
        aria-hidden
        className={cn(
          'grid size-10 shrink-0 place-items-center rounded-full bg-muted [&_svg]:size-5',
          read ? 'text-muted-foreground' : 'text-gold-text',
        )}
      >
        <Icon />
      </span>
      <div className="min-w-0 flex-1">
        <div className="flex flex-wrap items-center gap-x-2 gap-y-1 text-xs text-muted-foreground">
          <span className="font-semibold">{t.kinds[what]}</span>
          <time dateTime={at}>{dateTime(at, language)}</time>
          {!read && <Badge variant="gold">{t.isNew}</Badge>}
        </div>
        <Name alert={alert} />
        <p className="text-sm text-pretty text-muted-foreground">{useWords(alert)}</p>
      </div>
    </article>
  )
}

/** What it is about, and the way there. */
function Name({ alert }: { alert: Alert }) {
  const { itemId, itemName, inventoryId, bidId } = alert
  const what = whatOf(alert)
  const look = 'mt-0.5 block truncate rounded-sm text-sm font-medium hover:text-gold-text'
  const { nav } = useT().shell
  if (!itemName) {
    return bidId ? (
      <Link to="/orders" className={look}>
        {nav.orders}
      </Link>
    ) : null
  }
  // What is for sale is bought on the item's page, where all its listings are; so is what is another's now found there.
  if (inventoryId && what !== 'price' && what !== 'sold') {
    return (
      <Link to="/entry/$entryId" params={{ entryId: inventoryId }} className={look}>
        {itemName}
      </Link>
    )
  }
  return (
    <Link to="/item/$itemId" params={{ itemId: itemId ?? '' }} className={look}>
      {itemName}
    </Link>
  )
}

function useWords(alert: Alert): string {
  const t = alertsTexts.useT()
  const { priceCents, search = '' } = alert
  const price = dollars(priceCents ?? 0)
  const what = whatOf(alert)
  switch (what) {
    case 'listing':
      return t.listing(price, search)
    case 'expiring':
    case 'ended':
      return t[what]
    default:
      return t[what](price)
  }
}
