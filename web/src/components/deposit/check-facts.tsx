import { useLanguage } from '@/i18n'
import type { DepositLife } from '@/contract/types'
import { dateTime } from '@/lib/format'
import type { Fact } from '@/components/ui/facts'
import { Signature } from './signature'
import { depositsTexts } from './texts'

/** What is known about a deposit that awaits its payment: the reported transaction, and the last and next check. */
export function useCheckFacts({ reportedTransactionId, lastCheckedAt, nextCheckAt }: DepositLife): Fact[] {
  const t = depositsTexts.useT()
  const language = useLanguage()
  const time = (at: string) => <time dateTime={at}>{dateTime(at, language)}</time>
  return [
    ...(reportedTransactionId ? [{ label: t.reported, value: <Signature of={reportedTransactionId} /> }] : []),
    ...(lastCheckedAt ? [{ label: t.lastChecked, value: time(lastCheckedAt) }] : []),
    ...(nextCheckAt ? [{ label: t.nextCheck, value: time(nextCheckAt) }] : []),
  ]
}
