import type { ReactNode } from 'react'
import { useRecentPulls } from '@/api/activity'
import { leaderboardTexts } from './texts'
import type { Activity } from '@/contract/types'
import { useLive } from '@/lib/live-setting'
import { useHoverOrFocus } from '@/lib/use-hover-or-focus'
import { useNow } from '@/lib/use-now'
import { useRotation } from '@/lib/use-rotation'
import { Loaded } from '@/components/ui/loaded'
import { Skeleton } from '@/components/ui/skeleton'
import { PullCard } from './pull-card'
import { timeAgo } from './time-ago'
import { Who } from './who'

const slots = 4

/** The best cards of recent opens. Renders nothing without opens or on errors. */
export function LivePulls() {
  const activity = useRecentPulls()
  return (
    <Loaded
      query={activity}
      failed={null}
      empty={null}
      skeleton={
        <PullsSection>
          {Array.from({ length: slots }, (_, index) => (
            <li key={index}>
              <Skeleton className="h-40 rounded-2xl" />
            </li>
          ))}
        </PullsSection>
      }
    >
      {(records) => (
        <PullsSection>
          <Pulls records={records} />
        </PullsSection>
      )}
    </Loaded>
  )
}

function Pulls({ records }: { records: readonly Activity[] }) {
  const now = useNow()
  const { isHoveredOrFocused, handlers } = useHoverOrFocus()
  const places = useRotation(records, slots, !useLive() || isHoveredOrFocused)
  return places.map((record, place) => (
    <li key={place} {...handlers}>
      <Pull key={record.id} record={record} now={now} />
    </li>
  ))
}

function PullsSection({ children }: { children: ReactNode }) {
  const t = leaderboardTexts.useT()
  return (
    <section aria-labelledby="live-pulls">
      <h2 id="live-pulls" className="text-xl font-semibold tracking-tight">
        {t.live}
      </h2>
      <p className="mt-1 text-muted-foreground">{t.liveText}</p>
      <ul className="mt-5 grid grid-cols-2 gap-4 xl:grid-cols-4">{children}</ul>
    </section>
  )
}

function Pull({ record, now }: { record: Activity; now: number }) {
  const t = leaderboardTexts.useT()
  const { best, pack, user } = record
  return (
    <PullCard
      item={best}
      valueCents={best.valueCents}
      pack={pack}
      line={
        <>
          <Who user={user} />
          <time dateTime={record.createdAt}>{timeAgo(record.createdAt, now, t.ago)}</time>
        </>
      }
      className="animate-in fade-in duration-700 motion-reduce:animate-none"
    />
  )
}
