import { Collection } from '@/features/collection/collection'
import { useWallet } from '@/api/wallet'
import { SellButton } from '@/features/market/sell-buttons'
import { useT } from '@/i18n'
import { dollars } from '@/lib/format'
import { Failed } from '@/ui/failed'
import { PageHeader } from '@/ui/page-header'
import { WalletGate } from '@/ui/wallet-gate'

export function MyCollectionPage() {
  const { collection: t, shell } = useT()
  const wallet = useWallet()
  return (
    <>
      <PageHeader title={t.title} text={t.text}>
        {wallet.isError && <Failed text={shell.user.balanceFailed} retry={() => void wallet.refetch()} />}
        {wallet.isSuccess && (
          <p className="text-right text-sm text-muted-foreground">
            {t.walletBalance}
            <strong className="block text-xl font-semibold text-foreground tabular-nums">
              {dollars(wallet.data.balanceCents)}
            </strong>
          </p>
        )}
      </PageHeader>
      <WalletGate title={t.overlayTitle} text={t.overlayText} button={t.connectWallet}>
        <Collection sell={(entry) => <SellButton entry={entry} />} />
      </WalletGate>
    </>
  )
}
