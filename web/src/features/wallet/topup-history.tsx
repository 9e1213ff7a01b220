import { Link } from '@tanstack/react-router'
import { ChevronRight } from 'lucide-react'
import { useId } from 'react'
import { useDeposits } from '@/api/deposits'
import { DepositState } from '@/components/deposit/deposit-state'
import { Points } from '@/components/points'
import { useLanguage } from '@/i18n'
import type { Deposit } from '@/contract/types'
import { dateTime } from '@/lib/format'
import { LoadedGrid } from '@/components/ui/loaded-grid'
import { Skeleton } from '@/components/ui/skeleton'
import { walletTexts } from './texts'

export function TopUpHistory() {
  const t = walletTexts.useT().topup
  const id = useId()
  return (
    <section aria-labelledby={id} className="space-y-4">
      <h2 id={id} className="text-lg font-semibold">
        {t.history}
      </h2>
      <LoadedGrid
        list={useDeposits()}
        label={t.history}
        failed={t.historyFailed}
        columns="grid-cols-1"
        gap={10}
        skeleton={<Skeleton className="h-18 rounded-xl" />}
        skeletonCount={3}
        idOf={({ depositId }) => depositId}
        empty={<p className="panel rounded-2xl px-5 py-6 text-sm text-muted-foreground">{t.noHistory}</p>}
      >
        {(deposit) => <TopUpRow deposit={deposit} />}
      </LoadedGrid>
    </section>
  )
}

function TopUpRow({ deposit }: { deposit: Deposit }) {
  const { depositId, amountCents, createdAt } = deposit
  const language = useLanguage()
  return (
    <Link
      to="/deposit/$depositId"
      params={{ depositId }}
      className="panel grid grid-cols-[10rem_1fr_auto_auto] items-center gap-x-6 rounded-xl px-5 py-3.5 transition-colors hover:border-line-strong"
    >
      <Points cents={amountCents} />
      <time dateTime={createdAt} className="text-sm text-muted-foreground tabular-nums">
        {dateTime(createdAt, language)}
      </time>
      <DepositState of={deposit} />
      <ChevronRight aria-hidden className="size-4 text-muted-foreground" />
    </Link>
  )
}
