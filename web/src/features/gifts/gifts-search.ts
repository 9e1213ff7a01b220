import { oneOfOrUndefined } from '@/lib/search-param'

export const giftSides = ['received', 'given'] as const

/** Search parameters; unknown values are dropped. */
export function giftsSearch(raw: Readonly<Record<string, unknown>>): { side?: (typeof giftSides)[number] | undefined } {
  return { side: oneOfOrUndefined(giftSides, raw['side']) }
}
