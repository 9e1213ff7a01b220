import { History } from 'lucide-react'
import { useRecentPulls } from '@/api/activity'
import { usePackName } from '@/i18n/names'
import { leaderboardTexts } from './texts'
import { HandleLink } from '@/components/handle-link'
import type { Activity } from '@/contract/types'
import { useHoverOrFocus } from '@/lib/use-hover-or-focus'
import { useNow } from '@/lib/use-now'
import { useTimedUpdates } from '@/lib/use-rotation'
import { Avatar } from '@/components/ui/avatar'
import { EmptyState } from '@/components/ui/empty-state'
import { Loaded } from '@/components/ui/loaded'
import { Skeleton } from '@/components/ui/skeleton'
import { timeAgo } from './time-ago'

const rows = 5

export function RecentActivity() {
  const t = leaderboardTexts.useT()
  return (
    <section aria-labelledby="activity" className="panel rounded-2xl p-5">
      <h2 id="activity" className="font-semibold">
        {t.activity}
      </h2>
      <Records />
    </section>
  )
}

function Records() {
  const t = leaderboardTexts.useT()
  const activity = useRecentPulls()
  return (
    <Loaded
      query={activity}
      failed={t.activityFailed}
      skeleton={
        <div className="mt-4 space-y-3">
          {Array.from({ length: rows }, (_, index) => (
            <Skeleton key={index} className="h-10" />
          ))}
        </div>
      }
      empty={<EmptyState level={3} icon={<History />} title={t.noActivity} text={t.noActivityText} className="py-8" />}
    >
      {(records) => <Latest records={records} />}
    </Loaded>
  )
}

/** The latest opens. The order stays while the user hovers or focuses the list. */
function Latest({ records }: { records: readonly Activity[] }) {
  const now = useNow()
  const { isHoveredOrFocused, handlers } = useHoverOrFocus()
  const ids = records.slice(0, rows).map(({ id }) => id)
  const visibleIds = useTimedUpdates(ids, () => ids, isHoveredOrFocused)
  return (
    <ul className="mt-3 divide-y divide-line" {...handlers}>
      {records
        .filter(({ id }) => visibleIds.includes(id))
        .map((record) => (
          <Record key={record.id} record={record} now={now} />
        ))}
    </ul>
  )
}

function Record({ record, now }: { record: Activity; now: number }) {
  const t = leaderboardTexts.useT()
  const packName = usePackName()
  const { firstName, handle } = record.user
  const name = firstName || t.anonymous
  return (
    <li className="flex items-center gap-3 py-2.5">
      <Avatar name={name} className="size-8" />
      <div className="min-w-0 flex-1 leading-tight">
        <p className="truncate text-sm font-medium">
          <span>{name}</span>
          {handle && <HandleLink handle={handle} className="ml-1.5 font-normal" />}
        </p>
        <p className="truncate text-xs text-muted-foreground">{t.opened(packName(record.pack))}</p>
      </div>
      <time dateTime={record.createdAt} className="text-xs whitespace-nowrap text-muted-foreground tabular-nums">
        {timeAgo(record.createdAt, now, t.ago)}
      </time>
    </li>
  )
}
