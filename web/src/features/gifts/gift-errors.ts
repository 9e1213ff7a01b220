import { useLanguage, useT } from '@/i18n'
import { errorText } from '@/i18n/error-text'
import { ApiError } from '@/contract/error'
import { dateTime, number } from '@/lib/format'
import { giftsTexts } from './texts'

/** The details of an error about a limit. */
interface LimitDetails {
  limit?: 'gifts-waiting' | 'gift-items'
  most?: number
  renewsAt?: string
}

/** Returns a function that says why a gift couldn't be given, or why it couldn't be accepted, refused or canceled. */
export function useGiftErrorText(act: 'give' | 'respond'): (error: unknown) => string {
  const texts = useT()
  const t = giftsTexts.useT().giftErrors
  const language = useLanguage()
  const ofBoth: Readonly<Record<string, string>> = {
    forbidden: t.forbidden,
    switched_off: t.switched_off,
    timed_out: t.timed_out,
    excluded: t.excluded,
    account_frozen: t.account_frozen,
  }
  const ofGiving: Readonly<Record<string, string>> = {
    not_found: t.not_found,
    already_sold: t.already_sold,
    already_listed: t.already_listed,
    already_claimed: t.already_claimed,
    gift_waiting: t.gift_waiting,
    bad_signature: t.bad_signature,
  }
  const ofResponses: Readonly<Record<string, string>> = { not_found: t.gone, gift_ended: t.ended }
  const own = { ...ofBoth, ...(act === 'give' ? ofGiving : ofResponses) }
  return (error) => {
    if (!(error instanceof ApiError)) return errorText(error, texts)
    const { limit, most = 0, renewsAt } = (error.details ?? {}) as LimitDetails
    if (error.code === 'limit_reached' && limit === 'gifts-waiting') return t.waiting(number(most))
    if (error.code === 'limit_reached' && limit === 'gift-items' && renewsAt) {
      return t.itemsADay(number(most), dateTime(renewsAt, language))
    }
    return own[error.code] ?? errorText(error, texts)
  }
}
