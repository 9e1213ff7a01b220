import { ID, type Lines, type Reader, readLines, shaped, time } from './leaf'
import { amount, decimal } from './manifest'

/** A receipt proves something only about quick sells at least this many seconds later. */
export const EVIDENCE_AFTER_SECONDS = 10

/** A bid as the server signed it for its user (`kaibao-bid/v1`). It is not a leaf of the log. */
export interface BidNote {
  id: string
  /** One entry, one item, or criteria for items. */
  scope: string
  /** Percentage of the value; 0 for a fixed price. */
  peg: number
  /** The price, or a pegged bid's cap. */
  mostCents: number
  quantity: number
  /** The quantity that was not filled immediately. */
  left: number
  expires: string
  /** When this state of the bid took effect. */
  time: string
}

const count =
  (least: number, most = Number.MAX_SAFE_INTEGER): Reader<number> =>
  (text) => {
    const value = decimal(text, BigInt(most))
    return value === null || value < BigInt(least) ? null : Number(value)
  }

const lines: Lines<BidNote> = {
  id: ['id', shaped(ID)],
  scope: ['scope', shaped(/^\P{Cc}+$/u)],
  peg: ['peg', count(0, 120)],
  mostCents: ['most', (text) => amount(text) || null],
  quantity: ['quantity', count(1)],
  left: ['left', count(0)],
  expires: ['expires', time],
  time: ['time', time],
}

/** Reads the text of a bid's receipt strictly; null for anything else. */
export function parseBid(text: string): BidNote | null {
  const bid = readLines('kaibao-bid/v1', lines, text)
  return bid && bid.left <= bid.quantity && bid.expires >= bid.time ? bid : null
}
