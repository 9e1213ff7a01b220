import { lazy, startTransition, Suspense, useState } from 'react'
import { useConfirmLimit, useLimits } from '@/api/limits'
import { useLanguage, useT } from '@/i18n'
import { errorText } from '@/i18n/error-text'
import type { Limit } from '@/contract/types'
import { dateTime, points } from '@/lib/format'
import { useSession } from '@/lib/session'
import { toast } from '@/lib/toast'
import { Button } from '@/components/ui/button'
import { Loaded } from '@/components/ui/loaded'
import { Skeleton } from '@/components/ui/skeleton'
import { Table } from '@/components/ui/table'
import { limitsTexts } from './texts'

const LimitDialog = lazy(() => import('./limit-dialog'))

export type Span = 'day' | 'week' | 'month'

/** The limits of net losses and of top-ups, each per day, week and month. */
export function LimitsTables() {
  const t = limitsTexts.useT()
  return (
    <Loaded query={useLimits()} failed={t.failed} skeleton={<Skeleton className="h-[32rem] rounded-2xl" />}>
      {({ limits }) => (
        <>
          <LimitsTable kind="loss" limits={limits} />
          <LimitsTable kind="deposit" limits={limits} />
        </>
      )}
    </Loaded>
  )
}

function LimitsTable({ kind, limits }: { kind: 'loss' | 'deposit'; limits: readonly Limit[] }) {
  const t = limitsTexts.useT().table
  const language = useLanguage()
  const rows = limits.filter(({ limit }) => limit.startsWith(kind))
  return (
    <section className="panel mb-6 rounded-2xl px-6 py-5">
      <h2 className="text-lg font-semibold">{t[kind]}</h2>
      <p className="mt-1 max-w-prose text-sm text-muted-foreground">{t[`${kind}Text`]}</p>
      <Table
        caption={t.caption(t[kind])}
        roomy
        className="[&_thead_th]:whitespace-nowrap"
        rows={rows}
        idOf={({ limit }) => limit}
        columns={[
          { head: t.span, cell: ({ limit }) => t.spans[spanOf(limit)] },
          {
            head: t.limit,
            cell: ({ cents }) => (cents === null ? t.none : points(cents)),
            cellClassName: 'font-semibold',
          },
          { head: t.used, cell: ({ usedCents }) => points(usedCents) },
          {
            head: t.left,
            cell: ({ leftCents }) => (leftCents === null ? '–' : points(leftCents)),
          },
          { head: t.renews, cell: ({ renewsAt }) => dateTime(renewsAt, language) },
          { head: null, cell: (row) => <ChangeButton kind={kind} row={row} />, className: 'text-right' },
        ]}
      />
      {rows.map((row) => row.wanted && <PendingChange key={row.limit} kind={kind} row={row} wanted={row.wanted} />)}
    </section>
  )
}

const spanOf = (limit: string) => limit.slice(limit.indexOf('-') + 1) as Span

function ChangeButton({ kind, row }: { kind: 'loss' | 'deposit'; row: Limit }) {
  const t = limitsTexts.useT().table
  const { walletMismatch } = useSession()
  const [open, setOpen] = useState(false)
  const span = t.spans[spanOf(row.limit)]
  return (
    <>
      <Button
        variant="secondary"
        size="sm"
        disabled={walletMismatch}
        aria-label={t.changeOf(t[kind], span)}
        onClick={() => startTransition(() => setOpen(true))}
      >
        {t.change}
      </Button>
      <Suspense>{open && <LimitDialog limit={row} onClose={() => setOpen(false)} />}</Suspense>
    </>
  )
}

/** A requested higher limit, with its confirm button. */
function PendingChange({
  kind,
  row,
  wanted,
}: {
  kind: 'loss' | 'deposit'
  row: Limit
  wanted: NonNullable<Limit['wanted']>
}) {
  const texts = useT()
  const t = limitsTexts.useT()
  const language = useLanguage()
  const confirming = useConfirmLimit({
    onSuccess: () => toast({ title: t.table.confirmed }),
    onError: (error) =>
      toast({
        title: t.dialog.failed,
        description: errorText(error, texts),
        variant: 'destructive',
      }),
  })
  const from = dateTime(wanted.confirmFrom, language)
  const by = dateTime(wanted.confirmBy, language)
  return (
    <div className="mt-3 flex flex-wrap items-center justify-between gap-3 rounded-xl border px-4 py-3 text-sm">
      <p>
        {`${t.table[kind]}, ${t.table.spans[spanOf(row.limit)]}: ${wanted.cents === null ? t.table.requestedNone(from, by) : t.table.requested(points(wanted.cents), from, by)}`}
      </p>
      <Button size="sm" disabled={confirming.isPending} onClick={() => confirming.mutate(row.limit)}>
        {t.table.confirm}
      </Button>
    </div>
  )
}
