import { Link } from '@tanstack/react-router'
import {
  CircleX,
  HandCoins,
  type LucideIcon,
  PackageCheck,
  PackageOpen,
  PencilLine,
  ShoppingBag,
  Tag,
  Truck,
  Undo2,
  Vault,
} from 'lucide-react'
import { useLanguage } from '@/i18n'
import { itemTexts } from './texts'
import type { EntryEvent } from '@/lib/contract/types'
import { dateTime, dollars } from '@/lib/format'
import { Part } from './part'

const icons: Record<EntryEvent['kind'], LucideIcon> = {
  pulled: PackageOpen,
  vaulted: Vault,
  listed: Tag,
  repriced: PencilLine,
  delisted: Undo2,
  sold: ShoppingBag,
  bought: ShoppingBag,
  'sold-back': HandCoins,
  claimed: Truck,
  unclaimed: CircleX,
  delivered: PackageCheck,
}

/** All that was done with an entry, the oldest first. */
export default function Life({ events }: { events: readonly EntryEvent[] }) {
  const t = itemTexts.useT().life
  return (
    <Part title={t.title}>
      <ol className="mt-5">
        {events.map((event, at) => (
          // The same may be done twice in a moment: its place is all that tells them apart.
          <li key={at} className="group relative flex gap-4 pb-6 last:pb-0">
            <Happened event={event} />
          </li>
        ))}
      </ol>
    </Part>
  )
}

function Happened({ event: { kind, at, priceCents, ref } }: { event: EntryEvent }) {
  const t = itemTexts.useT().life
  const language = useLanguage()
  const Icon = icons[kind]
  return (
    <>
      <span aria-hidden className="absolute top-9 bottom-0 left-4.5 w-px bg-line-strong group-last:hidden" />
      <span
        aria-hidden
        className="grid size-9 shrink-0 place-items-center rounded-full border bg-background text-gold-text [&_svg]:size-4"
      >
        <Icon />
      </span>
      <div className="min-w-0 flex-1">
        <p className="flex flex-wrap items-baseline gap-x-2.5 font-medium">
          {t.kinds[kind]}
          {priceCents !== undefined && <span className="font-semibold tabular-nums">{dollars(priceCents)}</span>}
        </p>
        <p className="mt-0.5 flex flex-wrap gap-x-2.5 text-sm text-muted-foreground">
          <time dateTime={at} className="tabular-nums">
            {dateTime(at, language)}
          </time>
          {kind === 'pulled' && ref !== undefined && (
            <Link
              to="/verify/$openId"
              params={{ openId: ref }}
              className="rounded-sm text-gold-text underline underline-offset-4"
            >
              {t.proof}
            </Link>
          )}
          {kind === 'sold-back' && (ref === 'floor' || ref === 'value') && <span>{t[ref]}</span>}
        </p>
      </div>
    </>
  )
}
