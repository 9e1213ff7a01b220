import { useSearch } from '@tanstack/react-router'
import { Coins, Wallet } from 'lucide-react'
import { lazy, Suspense } from 'react'
import { walletTexts } from '@/features/wallet/texts'
import { BalanceCard } from '@/features/wallet/balance-card'
import { PackGoal } from '@/features/wallet/pack-goal'
import { RecentTransactions } from '@/features/wallet/recent-transactions'
import { BreakNotice } from '@/features/limits/break-notice'
import { useSession } from '@/lib/session'
import { Button } from '@/components/ui/button'
import { EmptyState } from '@/components/ui/empty-state'
import { PageHeader } from '@/components/ui/page-header'
import { Skeleton } from '@/components/ui/skeleton'

const TopUp = lazy(() => import('@/features/wallet/top-up'))

export function TopUpPage() {
  const t = walletTexts.useT().topup
  const { status, connect } = useSession()
  const { amount, pack } = useSearch({ from: '/topup' })
  return (
    <>
      <PageHeader title={t.title} text={t.text} />
      {status === 'loading' && <Skeleton className="h-80 rounded-2xl" />}
      {status === 'signed-out' && (
        <EmptyState
          icon={<Coins />}
          title={t.connectTitle}
          text={t.connectText}
          action={
            <Button onClick={connect}>
              <Wallet aria-hidden />
              <span>{t.connectWallet}</span>
            </Button>
          }
          className="panel rounded-2xl"
        />
      )}
      {status === 'signed-in' && (
        <Suspense fallback={<Skeleton className="h-[42rem] rounded-2xl" />}>
          <BreakNotice />
          {pack && <PackGoal packId={pack} />}
          <TopUp amount={amount} balance={<BalanceCard label={t.balance} />} transactions={<RecentTransactions />} />
        </Suspense>
      )}
    </>
  )
}
