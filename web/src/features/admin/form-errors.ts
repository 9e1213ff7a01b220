import { useLanguage, useT } from '@/i18n'
import { adminTexts } from './texts'
import { ApiError } from '@/contract/error'
import { dollars } from '@/lib/format'
import { toast } from '@/lib/toast'
import { useRefusalText } from './use-refusal-text'

/** Why the margin check refuses a pack. */
export interface Shortfall {
  priceCents: number
  expectedValueCents: number
  expectedSellBackCents: number
  /** Null if no price is high enough. */
  lowestPriceCents: number | null
}

type Details = Partial<Shortfall>

function detailsOf(error: unknown): Details {
  return error instanceof ApiError && typeof error.details === 'object' ? (error.details ?? {}) : {}
}

export function shortfallOf(error: unknown): Shortfall | undefined {
  const { priceCents, expectedValueCents, expectedSellBackCents, lowestPriceCents = null } = detailsOf(error)
  if (priceCents === undefined || expectedValueCents === undefined || expectedSellBackCents === undefined)
    return undefined
  return { priceCents, expectedValueCents, expectedSellBackCents, lowestPriceCents }
}

/**
 * Turns form errors into texts: `wrong` has the texts for invalid input by field; the server's reasons are translated
 * if the language knows them.
 */
export function useFieldErrorText(wrong: Readonly<Record<string, string>>): (problem: string, field: string) => string {
  const { rarities } = useT().catalogue
  const t = adminTexts.useT().admin
  const own: Readonly<Record<string, string>> = { required: t.required, loses: t.priceTooLow }
  return (problem, field) => (problem === 'wrong' ? wrong[field] : own[problem]) ?? t.reason(problem, rarities)
}

/** Shows an error of creating or editing as a toast. */
export function useErrorToast(): (error: Error) => void {
  const texts = useT()
  const refusalText = useRefusalText()
  const t = adminTexts.useT().admin
  const language = useLanguage()

  function reasonOf(error: Error): string {
    const shortfall = shortfallOf(error)
    if (shortfall) return t.loses(dollars(shortfall.expectedSellBackCents), dollars(shortfall.priceCents))
    const reasons = error instanceof ApiError ? Object.values(error.fields) : []
    if (reasons.length === 0) return refusalText(error)
    return language === 'en' ? error.message : reasons.map((why) => t.reason(why, texts.catalogue.rarities)).join('')
  }
  return (error) => toast({ title: t.error, description: reasonOf(error), variant: 'destructive' })
}
