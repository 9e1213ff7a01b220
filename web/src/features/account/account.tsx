import { useAccountData } from '@/api/account'
import type { AccountData } from '@/contract/types'
import { useSession } from '@/lib/session'
import { Copyable } from '@/components/ui/copyable'
import { Facts } from '@/components/ui/facts'
import { Loaded } from '@/components/ui/loaded'
import { Skeleton } from '@/components/ui/skeleton'
import { Deletion } from './deletion'
import { DownloadData } from './download'
import { accountTexts } from './texts'

/** What users can do with their data. */
export function Account() {
  const t = accountTexts.useT()
  return (
    <Loaded query={useAccountData()} failed={t.failed} skeleton={<Skeleton className="h-96 rounded-2xl" />}>
      {(data) => (
        <>
          <Wallet />
          <DownloadData />
          <Retention retention={data.retention} />
          <Deletion data={data} />
        </>
      )}
    </Loaded>
  )
}

function Wallet() {
  const t = accountTexts.useT().wallet
  const { user } = useSession()
  if (!user) return null
  return (
    <section className="panel mb-6 rounded-2xl px-6 py-5">
      <h2 className="text-lg font-semibold">{t.heading}</h2>
      <p className="mt-1 mb-3 text-sm text-muted-foreground">{t.text}</p>
      <Copyable text={user.walletAddress} words={t} label={t.address} />
    </section>
  )
}

function Retention({ retention }: Pick<AccountData, 'retention'>) {
  const t = accountTexts.useT().retention
  return (
    <section className="panel mb-6 rounded-2xl px-6 py-5">
      <h2 className="mb-3 text-lg font-semibold">{t.heading}</h2>
      <Facts
        className="max-w-md space-y-2"
        facts={[
          { label: t.addresses, value: t.addressesText(retention.addressDays) },
          { label: t.sessions, value: t.sessionsText(retention.sessionDays) },
          { label: t.logs, value: t.logsText(retention.requestLogDays) },
          { label: t.backups, value: t.backupsText(retention.backupDays) },
        ]}
      />
    </section>
  )
}
