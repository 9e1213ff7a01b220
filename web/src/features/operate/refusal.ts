import { useLanguage, useT } from '@/i18n'
import { errorText } from '@/i18n/error-text'
import { operateTexts } from './texts'
import { ApiError } from '@/lib/contract/error'
import { dollars } from '@/lib/format'
import { toast } from '@/lib/toast'

/** Why the margin guard refuses a pack, in cents. */
export interface Shortfall {
  priceCents: number
  expectedValueCents: number
  expectedSellBackCents: number
  /** Null where no price is high enough. */
  lowestPriceCents: number | null
}

type Details = Partial<Shortfall & { series: readonly string[] }>

function detailsOf(error: unknown): Details {
  return error instanceof ApiError && typeof error.details === 'object' ? (error.details ?? {}) : {}
}

export function shortfallOf(error: unknown): Shortfall | undefined {
  const { priceCents, expectedValueCents, expectedSellBackCents, lowestPriceCents = null } = detailsOf(error)
  if (priceCents === undefined || expectedValueCents === undefined || expectedSellBackCents === undefined)
    return undefined
  return { priceCents, expectedValueCents, expectedSellBackCents, lowestPriceCents }
}

/** The series over each of which a refused pack would pass; undefined where they are not the matter. */
export function fittingSeries(error: unknown): readonly string[] | undefined {
  return detailsOf(error).series
}

/** Tells why the server refuses a field, in the visitor's language if it is known there. A part, such as series[0], counts as the field. */
export function useReasons(error: unknown): (field: string) => string | undefined {
  const { rarities } = useT().catalogue
  const t = operateTexts.useT()
  const refused = Object.entries(error instanceof ApiError ? error.fields : {})
  return (field) => {
    const why = refused.find(([name]) => name.split(/[.[]/, 1)[0] === field)?.[1]
    return why && t.reason(why, rarities)
  }
}

/** Says in a toast why nothing was created. */
export function useFailed(): { fail: (why: string) => void; failWith: (error: Error) => void } {
  const texts = useT()
  const t = operateTexts.useT()
  const language = useLanguage()
  const fail = (description: string) => toast({ title: t.error, description, variant: 'destructive' })

  function reasonOf(error: Error): string {
    const shortfall = shortfallOf(error)
    if (shortfall) return t.loses(dollars(shortfall.expectedSellBackCents), dollars(shortfall.priceCents))
    const reasons = error instanceof ApiError ? Object.values(error.fields) : []
    if (reasons.length === 0) return errorText(error, texts)
    return language === 'en' ? error.message : reasons.map((why) => t.reason(why, texts.catalogue.rarities)).join('')
  }
  return { fail, failWith: (error) => fail(reasonOf(error)) }
}
