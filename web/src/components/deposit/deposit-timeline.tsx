import {
  CircleCheck,
  CircleX,
  Clock,
  Hourglass,
  type LucideIcon,
  ReceiptText,
  SearchCheck,
  ShieldQuestionMark,
  Undo2,
} from 'lucide-react'
import type { DepositEvent } from '@/contract/types'
import { TimelineItem, Timeline } from '@/components/ui/timeline'
import { depositsTexts } from './texts'

const icons: Record<DepositEvent['state'], LucideIcon> = {
  quoted: ReceiptText,
  pending: Hourglass,
  verified: SearchCheck,
  credited: CircleCheck,
  expired: Clock,
  review: ShieldQuestionMark,
  rejected: CircleX,
  refunded: Undo2,
}

export function DepositTimeline({ events }: { events: readonly DepositEvent[] }) {
  return (
    <Timeline moments={events} className="mt-5">
      {(event) => <DepositMoment event={event} />}
    </Timeline>
  )
}

/** Our reasons are translated; an admin's reason is shown as written. */
function DepositMoment({ event: { state, reason, by, at } }: { event: DepositEvent }) {
  const t = depositsTexts.useT()
  const Icon = icons[state]
  if (by === 'admin') {
    return (
      <TimelineItem icon={<Icon />} at={at} title={t.states[state]} more={<span>{t.byAdmin}</span>}>
        <p className="mt-2 rounded-lg border bg-background px-3.5 py-2.5 text-sm break-words whitespace-pre-line">
          {reason}
        </p>
      </TimelineItem>
    )
  }
  return <TimelineItem icon={<Icon />} at={at} title={t.reasons[reason] ?? t.states[state]} />
}
