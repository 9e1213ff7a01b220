import { lazy, Suspense } from 'react'
import { bidsTexts } from '@/features/bids/texts'
import { BalanceTiles } from '@/features/wallet/balance-tiles'
import { useT } from '@/i18n'
import { PageHeader } from '@/components/ui/page-header'
import { Skeleton } from '@/components/ui/skeleton'
import { WalletGate } from '@/components/ui/wallet-gate'

// Bids and listings bring the forms' libraries.
const Orders = lazy(() => import('../orders'))

/** The visitor's open bids and listings. */
export function OrdersPage() {
  const t = bidsTexts.useT().orders
  const { shell } = useT()
  return (
    <>
      <PageHeader title={t.title} text={t.text} />
      <WalletGate title={t.signInTitle} button={shell.user.connectWallet}>
        <div className="mb-8">
          <BalanceTiles />
        </div>
        <Suspense fallback={<Skeleton className="h-96 rounded-2xl" />}>
          <Orders />
        </Suspense>
      </WalletGate>
    </>
  )
}
