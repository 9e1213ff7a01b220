import { afterFee } from '@/components/fee'
import { terms } from '@/lib/config'
import type { Bid, Level } from '@/contract/types'

/** A bid's price for one item: fixed, or a percentage of the value up to a cap. */
export type BidPrice = { [Part in 'priceCents' | 'pegPercent' | 'capCents']?: number | undefined }

function stepAt(cents: number): number {
  return (terms.bidSteps.find(({ upToCents }) => cents <= upToCents) ?? terms.bidSteps.at(-1))?.stepCents ?? 1
}

export function isValidBid(cents: number): boolean {
  return cents >= terms.leastBidCents && cents <= terms.highestPriceCents && cents % stepAt(cents) === 0
}

/** The lowest valid bid of at least this amount; undefined if that is above the highest price. */
export function roundUpToBid(cents: number): number | undefined {
  const least = Math.max(terms.leastBidCents, Math.ceil(cents))
  const bid = Math.ceil(least / stepAt(least)) * stepAt(least)
  return bid <= terms.highestPriceCents ? bid : undefined
}

/** The highest valid bid of at most this amount; the lowest valid bid if that is higher. */
export function roundDownToBid(cents: number): number {
  const most = Math.min(Math.floor(cents), terms.highestPriceCents)
  return Math.max(terms.leastBidCents, Math.floor(most / stepAt(most)) * stepAt(most))
}

/** The most a bid pays for one item. This amount is held from the balance. */
export function maxPriceOf({ priceCents, capCents }: BidPrice): number {
  return priceCents ?? capCents ?? 0
}

/** What a bid pays for an item of this value, rounded down like on the server. */
export function priceFor(price: BidPrice, valueCents: number): number {
  const { pegPercent } = price
  if (pegPercent === undefined) return maxPriceOf(price)
  return Math.min(Math.floor((valueCents * pegPercent) / 100), maxPriceOf(price))
}

/** Kaibao's offer for an item of this value. */
export function sellBackPrice(valueCents: number): number {
  return Math.floor((valueCents * terms.sellBackPercent) / 100)
}

/** The lowest bid that leaves the seller more than Kaibao's offer, after a fee in basis points. */
export function bidBeatingKaibao(houseCents: number, feeBps: number): number | undefined {
  let bid = roundUpToBid(houseCents)
  while (bid !== undefined && afterFee(bid, feeBps) <= houseCents) bid = roundUpToBid(bid + 1)
  return bid
}

/** Removes the user's own listings, given by price, from the asks: users can't buy from themselves. */
export function withoutOwn(asks: readonly Level[], ownPrices: readonly number[]): Level[] {
  return asks.map(({ priceCents, count }) => ({
    priceCents,
    count: count - ownPrices.filter((price) => price === priceCents).length,
  }))
}

/** How many asks (cheapest first) a bid would fill right away, and their total price. */
export function matchAsks(
  asks: readonly Level[],
  maxCents: number,
  quantity: number,
): { count: number; cents: number } {
  const filled = { count: 0, cents: 0 }
  for (const { priceCents, count } of asks) {
    if (priceCents > maxCents) break
    const matched = Math.min(count, quantity - filled.count)
    filled.count += matched
    filled.cents += matched * priceCents
  }
  return filled
}

/**
 * The smallest raise that outbids the best competing bid; undefined if there is none. Bids by criteria
 * compete by their caps, like on the server.
 */
export function outbidPrice({ outbidCents, pegPercent, capCents = 0, valueCents }: Bid): BidPrice | undefined {
  if (outbidCents === undefined) return undefined
  const ahead = roundUpToBid(outbidCents + 1)
  if (ahead === undefined) return undefined
  if (pegPercent === undefined) return { priceCents: ahead }
  const cap = Math.max(ahead, capCents)
  const percents = Array.from({ length: terms.mostPeg - pegPercent + 1 }, (_, index) => pegPercent + index)
  const percent = percents.find(
    (candidate) =>
      priceFor({ pegPercent: candidate, capCents: cap }, valueCents ?? terms.highestPriceCents) > outbidCents,
  )
  return percent === undefined ? undefined : { pegPercent: percent, capCents: cap }
}
