import type { Dictionary } from '@/i18n'
import { errorText } from '@/i18n/error-text'
import { terms } from '@/lib/config'
import { ApiError } from '@/contract/error'
import { toast } from '@/lib/toast'
import type { bids } from './texts/en'

type Texts = typeof bids

/** Says why a bid, or an answer to one, came to nothing. */
export function tellBidder(title: string, error: unknown, texts: Dictionary, { errors }: Texts): void {
  toast({ title, description: ownText(error, errors) ?? errorText(error, texts), variant: 'destructive' })
}

function ownText(error: unknown, errors: Texts['errors']): string | undefined {
  if (!(error instanceof ApiError)) return undefined
  if (error.code === 'limit_reached') {
    const { limit } = (error.details ?? {}) as { limit?: string }
    return limit === 'declined' ? errors.declined_today : errors.most_bids(terms.mostBids)
  }
  const own: Record<string, unknown> = errors
  const text = own[error.code]
  return typeof text === 'string' ? text : undefined
}

/** What the server said of a price that is far from the value, if that is why it refused. */
export function farPrice(error: unknown): { valueCents: number; houseCents: number } | undefined {
  if (!(error instanceof ApiError) || error.code !== 'confirm_price') return undefined
  return error.details as { valueCents: number; houseCents: number }
}

/** What a bid pays by now, or a better one, where the server refused for that. */
export function priceNow(error: unknown): number | undefined {
  if (!(error instanceof ApiError)) return undefined
  if (error.code !== 'better_bid' && error.code !== 'price_changed') return undefined
  return (error.details as { priceCents?: number } | undefined)?.priceCents
}
