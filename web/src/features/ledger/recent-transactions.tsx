import { ReceiptText } from 'lucide-react'
import { useTransactions } from '@/api/wallet'
import { useLanguage } from '@/i18n'
import { ledgerTexts } from './texts'
import type { Transaction } from '@/lib/contract/types'
import { cn } from '@/lib/cn'
import { dateTime, points } from '@/lib/format'
import { EmptyState } from '@/ui/empty-state'
import { ErrorState } from '@/ui/error-state'
import { ScrollArea } from '@/ui/scroll-area'
import { Skeleton } from '@/ui/skeleton'
import { kindOf } from './kinds'

/** The latest lines of the ledger, as the server keeps them. */
export function RecentTransactions() {
  const t = ledgerTexts.useT()
  const lines = useTransactions()
  return (
    <section aria-labelledby="recent" className="panel rounded-2xl p-6">
      <h2 id="recent" className="font-semibold">
        {t.recent}
      </h2>
      {lines.isPending ? (
        <div className="mt-4 space-y-3">
          <Skeleton className="h-9" />
          <Skeleton className="h-9" />
          <Skeleton className="h-9" />
        </div>
      ) : lines.isError ? (
        <ErrorState title={t.failed} error={lines.error} retry={() => void lines.refetch()} />
      ) : lines.data.length === 0 ? (
        <EmptyState icon={<ReceiptText />} title={t.empty} text={t.emptyText} className="py-10" />
      ) : (
        <ScrollArea tabIndex={0} role="group" aria-labelledby="recent" className="-mr-4 max-h-[34rem] pr-4">
          <Lines lines={lines.data} />
        </ScrollArea>
      )}
    </section>
  )
}

function Lines({ lines }: { lines: readonly Transaction[] }) {
  const t = ledgerTexts.useT()
  const language = useLanguage()
  return (
    <table className="mt-3 w-full text-sm tabular-nums">
      <thead className="text-xs text-muted-foreground">
        <tr className="*:py-2 *:font-normal *:not-first:pl-4">
          <th scope="col" className="text-left">
            {t.columns.what}
          </th>
          <th scope="col" className="text-left">
            {t.columns.when}
          </th>
          <th scope="col" className="text-right">
            {t.columns.amount}
          </th>
          <th scope="col" className="text-right">
            {t.columns.balance}
          </th>
        </tr>
      </thead>
      <tbody>
        {lines.map((line) => (
          <tr key={line.id} className="border-t *:py-2.5 *:not-first:pl-4">
            <th scope="row" className="text-left font-medium">
              {t.kinds[kindOf(line)]}
            </th>
            <td className="text-muted-foreground">{dateTime(line.createdAt, language)}</td>
            <td className={cn('text-right font-semibold', line.amountCents > 0 && 'text-positive-text')}>
              {line.amountCents > 0 ? '+' : '−'}
              {points(Math.abs(line.amountCents))}
            </td>
            <td className="text-right text-muted-foreground">{points(line.balanceCents)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
