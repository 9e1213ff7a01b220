import { useQuery } from '@tanstack/react-query'
import { backupsQuery } from '@/api/admin-figures'
import { useLanguage } from '@/i18n'
import type { Backups } from '@/contract/types'
import { dateTime } from '@/lib/format'
import { Badge } from '@/components/ui/badge'
import { Facts } from '@/components/ui/facts'
import { Loaded } from '@/components/ui/loaded'
import { Skeleton } from '@/components/ui/skeleton'
import { Problem } from './problem'
import { adminTexts } from './texts'

/** Age and last result of backups and drills. */
export function BackupsPanel() {
  const t = adminTexts.useT().admin.backups
  const backups = useQuery(backupsQuery)
  return (
    <section aria-labelledby="backups" className="panel max-w-xl rounded-2xl p-6">
      <h3 id="backups" className="font-semibold">
        {t.title}
      </h3>
      <p className="mt-1 text-sm text-pretty text-muted-foreground">{t.text}</p>
      <Loaded query={backups} failed={t.failed} skeleton={<Skeleton className="mt-4 h-24" />}>
        {(state) => <State state={state} />}
      </Loaded>
    </section>
  )
}

function State({ state: { lastBackup, reportedBy, verified, lastFailure, lastDrill } }: { state: Backups }) {
  const t = adminTexts.useT().admin.backups
  const language = useLanguage()
  const at = (time: string | null) => (time ? <time dateTime={time}>{dateTime(time, language)}</time> : t.never)
  return (
    <>
      <Facts
        className="mt-4 divide-y divide-line *:py-3"
        facts={[
          { label: t.lastBackup, value: at(lastBackup) },
          ...(lastBackup
            ? [
                {
                  label: t.state,
                  value: verified ? (
                    <Badge variant="positive">{reportedBy ? t.reportedAndProven : t.verified}</Badge>
                  ) : (
                    <Badge variant="destructive">{t.unverified}</Badge>
                  ),
                },
              ]
            : []),
          ...(reportedBy ? [{ label: t.reportedBy, value: reportedBy }] : []),
          { label: t.lastDrill, value: at(lastDrill?.at ?? null) },
          ...(lastDrill
            ? [
                {
                  label: t.result,
                  value: lastDrill.failure ? (
                    <Badge variant="destructive">{t.drillFailed}</Badge>
                  ) : (
                    <Badge variant="positive">{t.passed}</Badge>
                  ),
                },
                { label: t.backup, value: lastDrill.backup, className: 'break-all' },
              ]
            : []),
        ]}
      />
      {lastFailure && <Problem>{t.backupFailedAt(dateTime(lastFailure.at, language), lastFailure.message)}</Problem>}
      {lastDrill?.failure && <Problem>{t.drillFailedAt(dateTime(lastDrill.at, language), lastDrill.failure)}</Problem>}
    </>
  )
}
