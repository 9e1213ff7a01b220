import { Link } from '@tanstack/react-router'
import {
  CircleX,
  Gift,
  type LucideIcon,
  Package,
  PackageCheck,
  PackageOpen,
  PackageX,
  PencilLine,
  RefreshCw,
  Send,
  ShoppingBag,
  Truck,
  Undo2,
} from 'lucide-react'
import { itemTexts } from './texts'
import type { EntryEvent } from '@/contract/types'
import { dollars } from '@/lib/format'
import { HandCoinsIcon, TagIcon, VaultIcon } from '@/components/ui/card-icons'
import { TimelineItem, Timeline } from '@/components/ui/timeline'
import { Section } from './section'

const icons: Record<EntryEvent['kind'], LucideIcon> = {
  pulled: PackageOpen,
  vaulted: VaultIcon,
  listed: TagIcon,
  repriced: PencilLine,
  delisted: Undo2,
  sold: ShoppingBag,
  bought: ShoppingBag,
  'sold-back': HandCoinsIcon,
  claimed: Send,
  unclaimed: CircleX,
  packed: Package,
  shipped: Truck,
  lost: PackageX,
  replaced: RefreshCw,
  delivered: PackageCheck,
  refunded: HandCoinsIcon,
  'gift-offered': Gift,
  'gift-accepted': Gift,
  'gift-returned': Undo2,
}

/** An entry's events, oldest first. */
export default function History({ events }: { events: readonly EntryEvent[] }) {
  const t = itemTexts.useT().history
  return (
    <Section title={t.title}>
      <Timeline moments={events} className="mt-5">
        {(event) => <HistoryEvent event={event} />}
      </Timeline>
    </Section>
  )
}

function HistoryEvent({ event: { kind, at, priceCents, ref } }: { event: EntryEvent }) {
  const t = itemTexts.useT().history
  const Icon = icons[kind]
  return (
    <TimelineItem
      icon={<Icon />}
      at={at}
      title={
        <>
          <span>{t.kinds[kind]}</span>
          {priceCents !== undefined && <span className="font-semibold tabular-nums">{dollars(priceCents)}</span>}
        </>
      }
      more={
        <>
          {kind === 'pulled' && ref !== undefined && (
            <Link
              to="/verify/$openId"
              params={{ openId: ref }}
              className="rounded-sm text-gold-text underline underline-offset-4"
            >
              {t.proof}
            </Link>
          )}
          {kind === 'claimed' && ref !== undefined && (
            <Link to="/claims" className="rounded-sm text-gold-text underline underline-offset-4">
              {t.shipment}
            </Link>
          )}
          {kind === 'sold-back' && (ref === 'floor' || ref === 'value') && <span>{t[ref]}</span>}
        </>
      }
    />
  )
}
