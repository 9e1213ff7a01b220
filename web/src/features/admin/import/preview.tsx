import { Download } from 'lucide-react'
import type { ReactNode } from 'react'
import type { ItemFile } from '@/api/admin-catalogue'
import type { ImportReport, ItemChange, RowRefusal } from '@/contract/types'
import { dollars, number } from '@/lib/format'
import { downloadText } from '@/lib/share'
import { Button } from '@/components/ui/button'
import { type Column, Table } from '@/components/ui/table'
import { adminTexts } from '../texts'

/** What an import would change, and which rows are rejected. */
export function Preview({ report, file }: { report: ImportReport; file: ItemFile }) {
  const t = adminTexts.useT().importing
  return (
    <div className="space-y-5">
      <Counts report={report} />
      {report.unknownColumns.length > 0 && (
        <section aria-label={t.unknown}>
          <h3 className="text-sm font-semibold">{t.unknown}</h3>
          <p className="text-sm text-muted-foreground">{t.unknownText}</p>
          <ul className="mt-2 space-y-1 text-sm wrap-anywhere" translate="no">
            {report.unknownColumns.map(({ name, nearest }) => (
              <li key={name}>{nearest ? t.didYouMean(name, nearest) : name}</li>
            ))}
          </ul>
        </section>
      )}
      {/* steep: values that more than doubled within a week */}
      {report.steep > 0 && <p className="text-sm">{t.steep(report.steep)}</p>}
      {report.changes.length > 0 && (
        <Part title={t.changes} shown={report.changes.length} total={report.new + report.changed}>
          <Changes changes={report.changes} />
        </Part>
      )}
      {report.refused > 0 && (
        <Part title={t.refusals} shown={new Set(report.refusals.map(({ row }) => row)).size} total={report.refused}>
          <RejectedRows refusals={report.refusals} />
          <RejectedRowsDownload text={report.rejects ?? ''} file={file} />
        </Part>
      )}
    </div>
  )
}

function Counts({ report }: { report: ImportReport }) {
  const { counts } = adminTexts.useT().importing
  return (
    <dl className="grid grid-cols-3 gap-3 sm:grid-cols-5">
      {(['rows', 'new', 'changed', 'same', 'refused'] as const).map((name) => (
        <div key={name} className="rounded-xl bg-muted px-3 py-2">
          <dt className="text-xs text-muted-foreground">{counts[name]}</dt>
          <dd className="text-lg font-semibold tabular-nums">{number(report[name])}</dd>
        </div>
      ))}
    </dl>
  )
}

interface PartProps {
  title: string
  shown: number
  total: number
  children: ReactNode
}

function Part({ title, shown, total, children }: PartProps) {
  const t = adminTexts.useT().importing
  return (
    <section aria-label={title}>
      <h3 className="text-sm font-semibold">{title}</h3>
      {shown < total && <p className="text-xs text-muted-foreground">{t.firstOf(shown)}</p>}
      {children}
    </section>
  )
}

function Changes({ changes }: { changes: readonly ItemChange[] }) {
  const t = adminTexts.useT().importing
  const columns: Column<ItemChange>[] = [
    { head: t.item, cell: ({ name }) => name },
    { head: t.fields, cell: ({ isNew, fields }) => (isNew ? t.isNew : fields.join(', ')), className: 'pl-3' },
    {
      head: t.before,
      cell: ({ beforeCents }) => (beforeCents === null ? '–' : dollars(beforeCents)),
      className: 'pl-3 text-right',
    },
    { head: t.after, cell: ({ afterCents }) => dollars(afterCents), className: 'pl-3 text-right' },
  ]
  return <Table caption={t.changes} columns={columns} rows={changes} idOf={({ id }) => id} />
}

function RejectedRows({ refusals }: { refusals: readonly RowRefusal[] }) {
  const t = adminTexts.useT().importing
  const columns: Column<RowRefusal>[] = [
    { head: t.row, cell: ({ row }) => number(row) },
    { head: t.field, cell: ({ field }) => field, className: 'pl-3' },
    { head: t.reason, cell: ({ reason }) => t.reasonOf(reason), className: 'pl-3' },
  ]
  return <Table caption={t.refusals} columns={columns} rows={refusals} idOf={({ row, field }) => `${row} ${field}`} />
}

function RejectedRowsDownload({ text, file }: { text: string; file: ItemFile }) {
  const t = adminTexts.useT().importing
  return (
    <p className="mt-3 flex flex-wrap items-center gap-3 text-sm text-muted-foreground">
      <Button
        variant="secondary"
        size="sm"
        onClick={() => downloadText(file.name.replace(/\.(\w+)$/, '.rejects.$1'), text)}
      >
        <Download aria-hidden />
        <span>{t.rejects}</span>
      </Button>
      <span>{t.rejectsText}</span>
    </p>
  )
}
