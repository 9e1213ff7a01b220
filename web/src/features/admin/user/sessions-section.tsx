import { useQuery } from '@tanstack/react-query'
import { MonitorX } from 'lucide-react'
import { sessionsCsvUrl, userSessionsQuery } from '@/api/admin-users'
import { useLanguage } from '@/i18n'
import { dateTime } from '@/lib/format'
import { EmptyState } from '@/components/ui/empty-state'
import { Loaded } from '@/components/ui/loaded'
import { Skeleton } from '@/components/ui/skeleton'
import { Table } from '@/components/ui/table'
import { CsvLink } from '../csv-link'
import { adminTexts } from '../texts'
import type { SectionProps } from './section-props'

/** A user's signed-in browsers. */
export default function SessionsSection({ user }: SectionProps) {
  const { user: texts } = adminTexts.useT()
  const t = texts.sessions
  const language = useLanguage()
  const time = (at: string) => <time dateTime={at}>{dateTime(at, language)}</time>
  return (
    <div className="space-y-4">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <p className="text-sm text-muted-foreground">{t.text}</p>
        <CsvLink url={sessionsCsvUrl(user.id)} label={texts.csv} />
      </div>
      <Loaded
        query={useQuery(userSessionsQuery(user.id))}
        failed={texts.listFailed}
        skeleton={<Skeleton className="h-40 rounded-2xl" />}
        empty={
          <EmptyState
            icon={<MonitorX />}
            title={t.none}
            text={t.noneText}
            level={3}
            className="panel rounded-2xl py-10"
          />
        }
      >
        {(sessions) => (
          <div className="panel rounded-2xl px-5 py-2">
            <Table
              caption={texts.tab.sessions}
              roomy
              rows={sessions}
              idOf={({ createdAt }) => createdAt}
              columns={[
                { head: t.since, cell: ({ createdAt }) => time(createdAt) },
                { head: t.lastUsed, cell: ({ lastUsedAt }) => time(lastUsedAt) },
              ]}
            />
          </div>
        )}
      </Loaded>
    </div>
  )
}
