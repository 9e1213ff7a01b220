import { useSearch } from '@tanstack/react-router'
import { Activity } from '@/features/trades/activity'
import { activitySearch } from '@/features/trades/activity-search'
import { tradesTexts } from '@/features/trades/texts'
import { useT } from '@/i18n'
import { PageHeader } from '@/components/ui/page-header'
import { WalletGate } from '@/components/ui/wallet-gate'

export function ActivityPage() {
  const t = tradesTexts.useT()
  const { shell } = useT()
  const mine = useSearch({ strict: false, select: (raw) => activitySearch(raw).mine })
  return (
    <>
      <PageHeader title={t.title} text={t.text} />
      {mine ? (
        <WalletGate title={t.signInTitle} button={shell.user.connectWallet}>
          <Activity />
        </WalletGate>
      ) : (
        <Activity />
      )}
    </>
  )
}
