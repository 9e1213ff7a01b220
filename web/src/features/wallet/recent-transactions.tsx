import { Link } from '@tanstack/react-router'
import { ArrowRight, ReceiptText } from 'lucide-react'
import { useLatestTransactions } from '@/api/wallet'
import { useLanguage } from '@/i18n'
import { walletTexts } from './texts'
import type { Transaction } from '@/contract/types'
import { cn } from '@/lib/cn'
import { dateTime, points } from '@/lib/format'
import { EmptyState } from '@/components/ui/empty-state'
import { Loaded } from '@/components/ui/loaded'
import { ScrollArea } from '@/components/ui/scroll-area'
import { Skeleton } from '@/components/ui/skeleton'
import { Table } from '@/components/ui/table'
import { kindOf } from './kinds'

export function RecentTransactions() {
  const t = walletTexts.useT().balance
  const lines = useLatestTransactions()
  return (
    <section aria-labelledby="recent" className="panel rounded-2xl p-6">
      <div className="flex items-baseline justify-between gap-4">
        <h2 id="recent" className="font-semibold">
          {t.recent}
        </h2>
        <Link
          to="/balance"
          className="inline-flex items-center gap-1.5 text-sm font-medium text-gold-text hover:underline"
        >
          <span>{t.all}</span>
          <ArrowRight aria-hidden className="size-4" />
        </Link>
      </div>
      <Loaded
        query={lines}
        failed={t.failed}
        skeleton={
          <div className="mt-4 space-y-3">
            <Skeleton className="h-9" />
            <Skeleton className="h-9" />
            <Skeleton className="h-9" />
          </div>
        }
        empty={<EmptyState icon={<ReceiptText />} title={t.empty} text={t.emptyText} className="py-10" />}
      >
        {(all) => (
          <ScrollArea tabIndex={0} role="group" aria-labelledby="recent" className="-mr-4 max-h-[34rem] pr-4">
            <TransactionTable lines={all} />
          </ScrollArea>
        )}
      </Loaded>
    </section>
  )
}

function TransactionTable({ lines }: { lines: readonly Transaction[] }) {
  const t = walletTexts.useT().balance
  const language = useLanguage()
  return (
    <Table
      rows={lines}
      idOf={({ id }) => id}
      roomy
      columns={[
        { head: t.columns.type, cell: (line) => t.kinds[kindOf(line)] },
        {
          head: t.columns.date,
          cell: ({ createdAt }) => dateTime(createdAt, language),
          cellClassName: 'whitespace-nowrap text-muted-foreground',
        },
        {
          head: t.columns.amount,
          cell: ({ amountCents }) => (amountCents > 0 ? '+' : '−') + points(Math.abs(amountCents)),
          className: 'text-right',
          cellClassName: ({ amountCents }) => cn('font-semibold', amountCents > 0 && 'text-positive-text'),
        },
        {
          head: t.columns.balance,
          cell: ({ balanceCents }) => points(balanceCents),
          className: 'text-right',
          cellClassName: 'text-muted-foreground',
        },
      ]}
    />
  )
}
