import { Link } from '@tanstack/react-router'
import {
  Banknote,
  Bell,
  CircleCheck,
  CircleOff,
  Clock,
  Gift,
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

/** The user's alerts. Showing them marks them as read; the new ones keep their badge until the next visit. */
export function AlertList() {
  const t = alertsTexts.useT()
  const alerts = useAlerts()
  const { mutate: markRead } = useReadAlerts()
  const newest = alerts.data?.[0]
  const unreadId = newest && !newest.read ? newest.id : undefined
  useEffect(() => {
    if (unreadId !== undefined) markRead(unreadId)
  }, [unreadId, markRead])
  return (
    <LoadedGrid
      list={alerts}
      label={t.title}
      failed={t.failed}
      columns="grid-cols-1"
      gap={8}
      skeleton={<Skeleton className="h-22 rounded-2xl" />}
      skeletonCount={4}
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
      {(alert) => <AlertRow alert={alert} />}
    </LoadedGrid>
  )
}

type AlertType = Alert['kind'] | 'sold'

/** A filled alert without a bid is about the user's own sale. */
const typeOf = ({ kind, bidId }: Alert): AlertType => (kind === 'filled' && !bidId ? 'sold' : kind)

const icons: Record<AlertType, LucideIcon> = {
  price: Tag,
  listing: Sparkles,
  outbid: TrendingUp,
  filled: CircleCheck,
  sold: Banknote,
  counter: Handshake,
  expiring: Clock,
  ended: CircleOff,
  gift: Gift,
}

function AlertRow({ alert }: { alert: Alert }) {
  const t = alertsTexts.useT()
  const language = useLanguage()
  const { at, read } = alert
  const type = typeOf(alert)
  const Icon = icons[type]
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
          <span className="font-semibold">{t.kinds[type]}</span>
          <time dateTime={at}>{dateTime(at, language)}</time>
          {!read && <Badge variant="gold">{t.isNew}</Badge>}
        </div>
        <AlertLink alert={alert} />
        <p className="text-sm text-pretty text-muted-foreground">{useAlertText(alert)}</p>
      </div>
    </article>
  )
}

/** Links to what the alert is about. */
function AlertLink({ alert }: { alert: Alert }) {
  const { itemId, itemName, inventoryId, bidId, giftEvent } = alert
  const { kinds } = alertsTexts.useT()
  const type = typeOf(alert)
  const classes = 'mt-0.5 block truncate rounded-sm text-sm font-medium hover:text-gold-text'
  const { nav } = useT().shell
  if (type === 'gift') {
    return (
      <Link to="/gifts" search={{ side: giftEvent === 'offered' ? 'received' : 'given' }} className={classes}>
        {itemName || kinds.gift}
      </Link>
    )
  }
  if (!itemName) {
    return bidId ? (
      <Link to="/orders" className={classes}>
        {nav.orders}
      </Link>
    ) : null
  }
  // The item's page has all its listings, so price alerts and sales link there.
  if (inventoryId && type !== 'price' && type !== 'sold') {
    return (
      <Link to="/entry/$entryId" params={{ entryId: inventoryId }} className={classes}>
        {itemName}
      </Link>
    )
  }
  return (
    <Link to="/item/$itemId" params={{ itemId: itemId ?? '' }} className={classes}>
      {itemName}
    </Link>
  )
}

function useAlertText(alert: Alert): string {
  const t = alertsTexts.useT()
  const { priceCents, search = '', giftEvent } = alert
  const price = dollars(priceCents ?? 0)
  const type = typeOf(alert)
  switch (type) {
    case 'listing':
      return t.listing(price, search)
    case 'gift':
      return t.gift[giftEvent ?? 'offered']
    case 'expiring':
    case 'ended':
      return t[type]
    default:
      return t[type](price)
  }
}
