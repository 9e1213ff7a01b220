import { useInfiniteQuery } from '@tanstack/react-query'
import { Gauge } from 'lucide-react'
import { useId, useState } from 'react'
import { limitChangesCsvUrl, limitChangesQuery } from '@/api/admin-users'
import { useLanguage } from '@/i18n'
import type { LimitChange } from '@/contract/types'
import { dateTime, points } from '@/lib/format'
import { Badge } from '@/components/ui/badge'
import { Table } from '@/components/ui/table'
import { AdminList } from '../admin-list'
import { anyTime, periodOf } from '../period-filter'
import { adminTexts } from '../texts'
import { Record } from './record'
import type { SectionProps } from './section-props'

/** A user's limits in force, and what they changed. */
export default function LimitsSection({ user }: SectionProps) {
  const { user: texts, list } = adminTexts.useT()
  const t = texts.limits
  const language = useLanguage()
  const id = useId()
  const [days, setDays] = useState(anyTime)
  const [kind, setKind] = useState<LimitChange['kind'] | ''>('')
  const filter = { ...periodOf(days), kind: kind || undefined }
  return (
    <div className="space-y-8">
      <section aria-labelledby={id} className="panel rounded-2xl p-5">
        <h3 id={id} className="font-semibold">
          {t.current}
        </h3>
        <Table
          roomy
          rows={user.limits.limits}
          idOf={({ limit }) => limit}
          columns={[
            { head: t.limit, cell: ({ limit }) => t.names[limit] },
            {
              head: t.most,
              cell: ({ cents }) => (cents === null ? t.unlimited : points(cents)),
              className: 'text-right',
            },
            { head: t.used, cell: ({ usedCents }) => points(usedCents), className: 'text-right' },
            {
              head: t.renews,
              cell: ({ renewsAt }) => <time dateTime={renewsAt}>{dateTime(renewsAt, language)}</time>,
              className: 'text-right',
            },
          ]}
        />
      </section>
      <section aria-label={t.changes} className="space-y-4">
        <h3 className="font-semibold">{t.changes}</h3>
        <AdminList
          list={useInfiniteQuery(limitChangesQuery(user.id, filter))}
          label={t.changes}
          failed={texts.listFailed}
          kind={{
            label: list.kind,
            value: kind,
            options: [
              ['', list.all],
              ...(['set', 'ask', 'confirm'] as const).map((option) => [option, t.kinds[option]] as const),
            ],
            onChange: setKind,
          }}
          period={{ value: days, onChange: setDays }}
          csv={{ url: limitChangesCsvUrl(user.id, filter), label: texts.csv }}
          empty={{ icon: <Gauge />, title: t.none, text: t.noneText }}
          entryHeight="h-14"
          skeletonCount={3}
          idOf={({ number }) => String(number)}
        >
          {(change) => <Change change={change} />}
        </AdminList>
      </section>
    </div>
  )
}

function Change({ change: { limit, kind, createdAt, ...value } }: { change: LimitChange }) {
  const t = adminTexts.useT().user.limits
  return (
    <Record
      title={t.names[limit]}
      badge={<Badge>{t.kinds[kind]}</Badge>}
      at={createdAt}
      facts={[{ label: t.changedTo, value: <ChangedTo limit={limit} value={value} /> }]}
    />
  )
}

interface ChangedToProps {
  limit: LimitChange['limit']
  value: Pick<LimitChange, 'cents' | 'minutes' | 'until'>
}

function ChangedTo({ limit, value: { cents, minutes, until } }: ChangedToProps) {
  const t = adminTexts.useT().user.limits
  const language = useLanguage()
  if (cents !== undefined) return points(cents)
  if (minutes !== undefined) return t.minutes(minutes)
  if (until) return t.until(dateTime(until, language))
  return limit === 'exclusion' ? t.forGood : t.unlimited
}
