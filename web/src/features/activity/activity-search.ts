import type { TradeFilter, TradeKind } from '@/api/activity'
import { categories, type Category } from '@/components/categories'
import { idOrUndefined, oneOfOrUndefined } from '@/lib/search-param'

export const tradeKinds = ['listing', 'bid', 'counter', 'sell-back'] as const satisfies readonly TradeKind[]

/** The activity page's URL parameters. */
export interface ActivitySearch {
  item?: string | undefined
  series?: Category | undefined
  kind?: TradeKind | undefined
  mine?: true | undefined
}

/** Parses the URL's parameters and drops unknown values. */
export function activitySearch(raw: Readonly<Record<string, unknown>>): ActivitySearch {
  const { item, mine } = raw
  return {
    item: idOrUndefined(item),
    series: oneOfOrUndefined(categories, raw['series']),
    kind: oneOfOrUndefined(tradeKinds, raw['kind']),
    mine: mine === true ? true : undefined,
  }
}

/** The API's parameters for it. */
export function tradeFilterOf({ item, series, kind, mine }: ActivitySearch): TradeFilter {
  return { ...(item && { itemId: item }), ...(series && { series }), ...(kind && { kind }), ...(mine && { mine }) }
}
