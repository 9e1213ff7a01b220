import { lazy, Suspense } from 'react'
import { Account } from '@/features/account/account'
import { usePasskeyAddress } from '@/features/auth/passkey/use-passkey-address'
import { accountTexts } from '@/features/account/texts'
import { useSession } from '@/lib/session'
import { PageHeader } from '@/components/ui/page-header'
import { Skeleton } from '@/components/ui/skeleton'
import { WalletGate } from '@/components/ui/wallet-gate'

// Loads the libraries for forms.
const ProfileSettings = lazy(() => import('@/features/profiles/profile-settings'))
// Only passkey wallets have it.
const ExportPanel = lazy(() => import('@/features/auth/passkey/export-panel'))

export function AccountPage() {
  const t = accountTexts.useT()
  const { status } = useSession()
  const passkey = usePasskeyAddress()
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
        <Suspense>{passkey && <ExportPanel address={passkey} />}</Suspense>
        <Account />
      </WalletGate>
    </>
  )
}
