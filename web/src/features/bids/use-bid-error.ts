import { useT } from '@/i18n'
import { errorText } from '@/i18n/error-text'
import { terms } from '@/lib/config'
import { ApiError } from '@/contract/error'
import { toast } from '@/lib/toast'
import { bidsTexts } from './texts'
import type { bids } from './texts/en'

/** Returns a function that shows a toast with the error of a bid, an acceptance or a counter-offer. */
export function useBidError(): (title: string, error: unknown) => void {
  const texts = useT()
  const { errors } = bidsTexts.useT().bids
  return (title, error) =>
    toast({ title, description: bidErrorText(error, errors) ?? errorText(error, texts), variant: 'destructive' })
}

/** The error in words for bidders; undefined if the shared text will do. */
export function bidErrorText(error: unknown, errors: (typeof bids)['errors']): string | undefined {
  if (!(error instanceof ApiError)) return undefined
  if (error.code === 'limit_reached') {
    const { limit } = (error.details ?? {}) as { limit?: string }
    return limit === 'declined' ? errors.declined_today : errors.most_bids(terms.mostBids)
  }
  const byCode: Record<string, unknown> = errors
  const text = byCode[error.code]
  return typeof text === 'string' ? text : undefined
}

/** The best price on offer now, in cents, if the server refused because it changed. */
export function changedPrice(error: unknown): number | undefined {
  if (!(error instanceof ApiError)) return undefined
  if (error.code !== 'better_bid' && error.code !== 'price_changed') return undefined
  return (error.details as { priceCents?: number } | undefined)?.priceCents
}
