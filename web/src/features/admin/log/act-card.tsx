import { useLanguage } from '@/i18n'
import type { AdminAct } from '@/contract/types'
import { dateTime } from '@/lib/format'
import { Table } from '@/components/ui/table'
import { adminTexts } from '../texts'
import { Subject } from '../subject'
import { UserLink } from '../user-link'
import { type Difference, differencesOf } from './differences'
import { useValueTexts } from './use-value-texts'
import { translate, formatValue } from './format-value'

/** One entry of the admin log. */
export function ActCard({ act }: { act: AdminAct }) {
  const t = adminTexts.useT().log
  const language = useLanguage()
  const { by, adminId = '', walletAddress, subject, reason, createdAt, request, path } = act
  return (
    <article className="panel rounded-2xl p-5">
      <header className="flex flex-wrap items-baseline gap-x-3 gap-y-1">
        <h3 className="font-semibold">{translate(t.acts, act.act)}</h3>
        <span className="ml-auto text-xs text-muted-foreground">
          {by === 'program' ? (
            <span>{path.startsWith('kaibao ') ? t.byCommand(path) : t.program}</span>
          ) : (
            <span>
              <span>{t.by}</span> <UserLink id={adminId} walletAddress={walletAddress} />
            </span>
          )}
          <span aria-hidden> · </span>
          <time dateTime={createdAt} className="tabular-nums">
            {dateTime(createdAt, language)}
          </time>
        </span>
      </header>
      <Subject of={subject} className="mt-1 block" />
      {reason && <p className="mt-2 text-sm break-words">{reason}</p>}
      <Differences of={differencesOf(act)} act={act.act} />
      <details className="mt-3 text-sm">
        <summary className="cursor-pointer text-muted-foreground">{t.request}</summary>
        <p className="mt-2 font-mono text-xs break-all text-muted-foreground">{path}</p>
        <pre className="mt-2 rounded-lg border bg-background p-3 font-mono text-xs break-all whitespace-pre-wrap">
          {JSON.stringify(request, null, 2)}
        </pre>
      </details>
    </article>
  )
}

function Differences({ of: rows, act }: { of: readonly Difference[]; act: string }) {
  const t = adminTexts.useT().log
  const words = useValueTexts(act)
  if (rows.length === 0) return <p className="mt-2 text-sm text-muted-foreground">{t.unchanged}</p>
  const value = (of: unknown, field = '') =>
    formatValue(field, of, words) ?? <span className="text-muted-foreground">{t.nothing}</span>
  return (
    <Table
      caption={t.list}
      className="table-fixed"
      rows={rows}
      idOf={({ field = '' }) => field}
      columns={[
        {
          head: t.field,
          cell: ({ field }) => (field === undefined ? t.whole : translate(t.fields, field)),
          className: 'w-1/4 pr-4 align-top break-words',
        },
        { head: t.before, cell: ({ before, field }) => value(before, field), className: 'pr-4 align-top break-words' },
        {
          head: t.after,
          cell: ({ after, field }) => value(after, field),
          className: 'align-top font-medium break-words',
        },
      ]}
    />
  )
}
