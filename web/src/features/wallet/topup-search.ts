import { terms } from '@/lib/config'

/** The top-up page's URL parameters. */
export interface TopUpSearch {
  /** Whole points to fill in. */
  amount?: number | undefined
  /** Id of the pack that the points are for. */
  pack?: string | undefined
}

const longestId = 64

/** Parses the URL's parameters and drops invalid values. */
export function topUpSearch(raw: Readonly<Record<string, unknown>>): TopUpSearch {
  const { pack } = raw
  const amount = Number(raw['amount'])
  const valid = Number.isInteger(amount) && amount >= terms.leastDeposit && amount <= terms.mostDeposit
  return {
    amount: valid ? amount : undefined,
    // The router parses digits as a number.
    pack:
      (typeof pack === 'string' && pack && pack.length <= longestId) || typeof pack === 'number'
        ? `${pack}`
        : undefined,
  }
}
