import { lazy, Suspense } from 'react'
import { Account } from '@/features/account/account'
import { accountTexts } from '@/features/account/texts'
import { useSession } from '@/lib/session'
import { PageHeader } from '@/components/ui/page-header'
import { Skeleton } from '@/components/ui/skeleton'
import { WalletGate } from '@/components/ui/wallet-gate'

// Loads the libraries for forms.
const ProfileSettings = lazy(() => import('@/features/profiles/profile-settings'))

export function AccountPage() {
  const t = accountTexts.useT()
  const { status } = useSession()
  const skeleton = <Skeleton className="mb-6 h-96 rounded-2xl" />
  return (
    <>
      <PageHeader title={t.title} text={t.text} />
      <WalletGate title={t.signInTitle} button={t.connectWallet}>
        {status === 'loading' ? (
          skeleton
        ) : (
          <Suspense fallback={skeleton}>
            <ProfileSettings />
          </Suspense>
        )}
        <Account />
      </WalletGate>
    </>
  )
}
