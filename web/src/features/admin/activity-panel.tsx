import { History } from 'lucide-react'
import { useRecentPulls } from '@/api/activity'
import { useLanguage } from '@/i18n'
import { usePackName } from '@/i18n/names'
import { adminTexts } from './texts'
import type { Activity } from '@/contract/types'
import { dateTime } from '@/lib/format'
import { EmptyState } from '@/components/ui/empty-state'
import { Loaded } from '@/components/ui/loaded'
import { Skeleton } from '@/components/ui/skeleton'

const maxRecords = 10

export function ActivityPanel() {
  const t = adminTexts.useT().admin
  const activity = useRecentPulls()
  return (
    <Loaded
      query={activity}
      failed={t.activityFailed}
      skeleton={<Skeleton className="h-80 rounded-2xl" />}
      empty={
        <EmptyState
          icon={<History />}
          title={t.noActivity}
          text={t.noActivityText}
          level={3}
          className="panel rounded-2xl"
        />
      }
    >
      {(records) => (
        <ul className="panel divide-y divide-line rounded-2xl px-5">
          {records.slice(0, maxRecords).map((record) => (
            <Record key={record.id} record={record} />
          ))}
        </ul>
      )}
    </Loaded>
  )
}

function Record({ record }: { record: Activity }) {
  const t = adminTexts.useT().admin
  const language = useLanguage()
  const packName = usePackName()
  return (
    <li className="flex items-baseline justify-between gap-4 py-3 text-sm">
      <span>
        <strong className="font-semibold">{record.user.firstName || t.user}</strong>{' '}
        <span className="text-muted-foreground">{t.opened(packName(record.pack))}</span>
      </span>
      <time dateTime={record.createdAt} className="text-xs text-muted-foreground tabular-nums">
        {dateTime(record.createdAt, language)}
      </time>
    </li>
  )
}
