import { useInfiniteQuery } from '@tanstack/react-query'
import { useId } from 'react'
import { orphansQuery } from '@/api/admin-deposits'
import { useLanguage } from '@/i18n'
import type { Orphan } from '@/contract/types'
import { dateTime } from '@/lib/format'
import { Copyable } from '@/components/ui/copyable'
import { Facts } from '@/components/ui/facts'
import { LoadedGrid } from '@/components/ui/loaded-grid'
import { Skeleton } from '@/components/ui/skeleton'
import { adminTexts } from './texts'

/** Payments reported by the provider that match no deposit. */
export function Orphans() {
  const t = adminTexts.useT().deposits
  const id = useId()
  return (
    <section aria-labelledby={id} className="space-y-3">
      <div>
        <h3 id={id} className="font-semibold">
          {t.orphans}
        </h3>
        <p className="text-sm text-muted-foreground">{t.orphansText}</p>
      </div>
      <LoadedGrid
        list={useInfiniteQuery(orphansQuery)}
        label={t.orphans}
        failed={t.orphansFailed}
        columns="grid-cols-1"
        gap={12}
        skeleton={<Skeleton className="h-24 rounded-2xl" />}
        skeletonCount={1}
        idOf={({ paymentId }) => paymentId}
        empty={<p className="panel rounded-2xl px-5 py-4 text-sm text-muted-foreground">{t.noOrphans}</p>}
      >
        {(orphan) => <OrphanCard orphan={orphan} />}
      </LoadedGrid>
    </section>
  )
}

function OrphanCard({ orphan: { paymentId, source, depositId, details, createdAt } }: { orphan: Orphan }) {
  const {
    deposits: t,
    user: { copy },
  } = adminTexts.useT()
  const language = useLanguage()
  return (
    <div className="panel rounded-2xl p-5">
      <Facts
        layout="cells"

        facts={[
          { label: t.payment, value: <Copyable text={paymentId} words={copy} label={t.payment} />, wide: true },
          { label: t.source, value: t.sources[source] },
          { label: t.at, value: <time dateTime={createdAt}>{dateTime(createdAt, language)}</time> },
          ...(depositId
            ? [{ label: t.deposit, value: <Copyable text={depositId} words={copy} label={t.deposit} />, wide: true }]
            : []),
        ]}
      />
      <details className="mt-3 text-sm">
        <summary className="cursor-pointer text-muted-foreground">{t.payload}</summary>
        <pre className="mt-2 overflow-x-auto rounded-lg border bg-background p-3 font-mono text-xs whitespace-pre-wrap">
          {details}
        </pre>
      </details>
    </div>
  )
}
