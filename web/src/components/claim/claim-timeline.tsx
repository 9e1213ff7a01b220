import {
  CircleX,
  ClipboardList,
  ExternalLink,
  HandCoins,
  type LucideIcon,
  Package,
  PackageCheck,
  PackageX,
  RefreshCw,
  Truck,
} from 'lucide-react'
import type { Claim, ClaimStep } from '@/contract/types'
import { TimelineItem, Timeline } from '@/components/ui/timeline'
import { claimTexts } from './texts'

const icons: Record<ClaimStep['act'], LucideIcon> = {
  request: ClipboardList,
  cancel: CircleX,
  pack: Package,
  ship: Truck,
  deliver: PackageCheck,
  lose: PackageX,
  replace: RefreshCw,
  refund: HandCoins,
}

export function ClaimTimeline({ events }: Pick<Claim, 'events'>) {
  const t = claimTexts.useT()
  return (
    <Timeline moments={events}>
      {({ act, at, by, note }) => {
        const Icon = icons[act]
        return (
          <TimelineItem
            icon={<Icon />}
            at={at}
            title={t.acts[act]}
            more={act === 'cancel' && by === 'house' && <span>{t.byKaibao}</span>}
          >
            {note && <p className="mt-1 text-sm break-words text-muted-foreground">{note}</p>}
          </TimelineItem>
        )
      }}
    </Timeline>
  )
}

export function TrackingLink({ tracking }: { tracking: NonNullable<Claim['tracking']> }) {
  const t = claimTexts.useT()
  const { carrier, number, url } = tracking
  if (!url) {
    return <span className="text-sm">{`${carrier} ${number}`}</span>
  }
  return (
    <a
      href={url}
      target="_blank"
      rel="noreferrer noopener"
      className="inline-flex items-center gap-1.5 rounded-sm text-sm text-gold-text underline underline-offset-4"
    >
      <span>{t.track(carrier, number)}</span>
      <ExternalLink aria-hidden className="size-3.5" />
    </a>
  )
}
