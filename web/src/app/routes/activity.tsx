import { useSearch } from '@tanstack/react-router'
import { Activity } from '@/features/activity/activity'
import { activitySearch } from '@/features/activity/activity-search'
import { activityTexts } from '@/features/activity/texts'
import { useT } from '@/i18n'
import { PageHeader } from '@/components/ui/page-header'
import { WalletGate } from '@/components/ui/wallet-gate'

export function ActivityPage() {
  const t = activityTexts.useT()
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
