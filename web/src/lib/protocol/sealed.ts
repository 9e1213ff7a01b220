import { type Bytes, fromBase64, fromUtf8, utf8 } from './bytes'
import { sha256 } from './hash'
import {
  type DrawHead,
  headLines,
  hex,
  items,
  type Lines,
  type OpenLeaf,
  type Reader,
  readLines,
  seed,
  time,
} from './leaf'
import { amount, decimal } from './manifest'

/** An order of a sealed pack (`kaibao-order/v1`): paid, and drawn later with the beacon's round. */
export interface OrderLeaf extends DrawHead {
  clientSeed: string
  priceCents: number
  round: bigint
  time: string
  /** The commitment of the same user's next open. */
  next: string
}

/** The leaf that settles an order repeats its first fields. */
export interface Settlement extends DrawHead {
  /** The hash of the order's leaf. */
  order: string
  round: bigint
  time: string
}

/** The draw of an order (`kaibao-open/v2`). */
export interface SealedOpenLeaf extends Settlement {
  serverSeed: string
  /** The beacon's signature of the round. */
  signature: string
  items: OpenLeaf['items']
}

/** The refund of an order that could not be drawn (`kaibao-void/v1`). */
export interface VoidLeaf extends Settlement {
  reason: 'no-beacon' | 'lost'
  /** Null if the seed was lost. */
  serverSeed: string | null
}

/** A round of a beacon, logged before the first draw that uses it (`kaibao-round/v1`). */
export interface RoundLeaf {
  /** The chain hash. */
  beacon: string
  round: bigint
  signature: string
  /** The log's signed checkpoint with its witnesses' cosignatures; '' if there is none from before the round. */
  checkpoint: string
  /** The same of the log that this one continues, for the orders copied from it; usually ''. */
  endedCheckpoint: string
  time: string
}

const round: Reader<bigint> = (text) => decimal(text) || null

const orderLines: Lines<OrderLeaf> = {
  ...headLines,
  clientSeed: ['clientSeed', seed],
  priceCents: ['price', amount],
  round: ['round', round],
  time: ['time', time],
  next: ['next', hex(32)],
}

const sealedOpenLines: Lines<SealedOpenLeaf> = {
  ...headLines,
  serverSeed: ['serverSeed', hex(32)],
  order: ['order', hex(32)],
  round: ['round', round],
  signature: ['signature', hex(48)],
  items: ['items', items],
  time: ['time', time],
}

const voidLines: Lines<Omit<VoidLeaf, 'serverSeed'> & { serverSeed: string }> = {
  ...headLines,
  order: ['order', hex(32)],
  round: ['round', round],
  reason: ['reason', (text) => (text === 'no-beacon' || text === 'lost' ? text : null)],
  serverSeed: ['serverSeed', (text) => (text === '-' ? text : hex(32)(text))],
  time: ['time', time],
}

const checkpoint: Reader<string> = (text) => fromUtf8(fromBase64(text) ?? new Uint8Array()) || null

const roundLines: Lines<Omit<RoundLeaf, 'endedCheckpoint' | 'time'>> = {
  beacon: ['beacon', hex(32)],
  round: ['round', round],
  signature: ['signature', hex(48)],
  checkpoint: ['checkpoint', (text) => (text === '-' ? '' : checkpoint(text))],
}

/** Parses an order's leaf; null if invalid. */
export function parseOrderLeaf(text: string): OrderLeaf | null {
  return readLines('kaibao-order/v1', orderLines, text)
}

/** Parses the leaf of a sealed open; null if invalid. */
export function parseSealedOpenLeaf(text: string): SealedOpenLeaf | null {
  return readLines('kaibao-open/v2', sealedOpenLines, text)
}

/** Parses the leaf of a void; null if invalid. Exactly a lost seed is missing. */
export function parseVoidLeaf(text: string): VoidLeaf | null {
  const leaf = readLines('kaibao-void/v1', voidLines, text)
  if (!leaf || (leaf.reason === 'lost') !== (leaf.serverSeed === '-')) return null
  return { ...leaf, serverSeed: leaf.reason === 'lost' ? null : leaf.serverSeed }
}

/** Parses the leaf of an order, or of its void; null if invalid. */
export function parseUndrawn(text: string): OrderLeaf | VoidLeaf | null {
  return parseOrderLeaf(text) ?? parseVoidLeaf(text)
}

/** Parses a round's leaf; null if invalid. */
export function parseRoundLeaf(text: string): RoundLeaf | null {
  const kind = 'kaibao-round/v1'
  const leaf = readLines(kind, { ...roundLines, time: ['time', time] }, text)
  if (leaf) return { ...leaf, endedCheckpoint: '' }
  return readLines(kind, { ...roundLines, endedCheckpoint: ['checkpoint', checkpoint], time: ['time', time] }, text)
}

/** The hash of an order's leaf, which is part of its draw's key. */
export function orderHash(leaf: string): Promise<Bytes> {
  return sha256(utf8(leaf))
}

/** When a beacon publishes its rounds, in seconds. Round 1 is published at the genesis. */
export interface Schedule {
  genesis: number
  period: number
}

/** The round that draws an order: the first one that is published at least `lead` seconds after it. */
export function roundOf(timeMs: number, lead: number, { genesis, period }: Schedule): bigint {
  const waitMs = Math.max(0, timeMs + 1000 * lead - 1000 * genesis)
  return 1n + BigInt(Math.ceil(waitMs / (1000 * period)))
}

/** When a round is published, in milliseconds since 1970. */
export function timeOfRound(number: bigint, { genesis, period }: Schedule): number {
  return 1000 * Number(BigInt(genesis) + (number - 1n) * BigInt(period))
}
