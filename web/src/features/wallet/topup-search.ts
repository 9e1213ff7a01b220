import { idOrUndefined } from '@/lib/search-param'
import { terms } from '@/lib/config'

/** The top-up page's URL parameters. */
export interface TopUpSearch {
  /** Whole points to fill in. */
  amount?: number | undefined
  /** Id of the pack that the points are for. */
  pack?: string | undefined
}

/** Parses the URL's parameters and drops invalid values. */
export function topUpSearch({ amount, pack }: Readonly<Record<string, unknown>>): TopUpSearch {
  const points = Number(amount)
  const valid = Number.isInteger(points) && points >= terms.leastDeposit && points <= terms.mostDeposit
  return { amount: valid ? points : undefined, pack: idOrUndefined(pack) }
}
