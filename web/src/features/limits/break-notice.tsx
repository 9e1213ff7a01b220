import { useLimits } from '@/api/limits'
import { useLanguage } from '@/i18n'
import { dateTime } from '@/lib/format'
import { Notice } from '@/components/ui/notice'
import { limitsTexts } from './texts'

/** Shown during a time-out or self-exclusion. */
export function BreakNotice() {
  const t = limitsTexts.useT().stop
  const language = useLanguage()
  const { data } = useLimits()
  if (data?.excluded) {
    const { until } = data.excluded
    return <Notice>{`${until === null ? t.excludedForGood : t.excluded(dateTime(until, language))} ${t.goOn}`}</Notice>
  }
  if (!data?.timedOut?.until) return null
  return <Notice>{`${t.timedOut(dateTime(data.timedOut.until, language))} ${t.goOn}`}</Notice>
}
