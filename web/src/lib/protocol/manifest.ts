import { type Bytes, fromUtf8 } from './bytes'

/** A card of a manifest. Stock −1 is unlimited. */
export interface Card {
  id: string
  valueCents: number
  stock: bigint
}

/** Cards that share a weight. `highCents` 0 means no upper bound. */
export interface Tier {
  weight: bigint
  lowCents: number
  highCents: number
  label: string
  cards: Card[]
}

/** A pack's published manifest, with tiers from the lowest to the highest. */
export interface Manifest {
  pack: string
  name: string
  priceCents: number
  items: number
  tiers: Tier[]
  weightSum: bigint
  /** How orders of a sealed pack are drawn; null in a `kaibao-manifest/v1`, whose pack allows instant opens only. */
  sealing: Sealing | null
}

export interface Sealing {
  /** The beacon's chain hash in hex. */
  beacon: string
  /** Seconds from an order to its round, at least: 2 to 30. */
  lead: number
  /** Whether the player may choose an instant open. */
  instant: boolean
}

/** Whether any card has limited stock. Draws of such packs are numbered, so that the stock can be replayed. */
export function isFinite(manifest: Manifest): boolean {
  return manifest.tiers.some((tier) => tier.cards.some((card) => card.stock !== -1n))
}

export type ManifestFault =
  | 'encoding' // not UTF-8, a control character, or no line end at the very end
  | 'line' // not the line that the grammar requires here
  | 'number' // not a canonical decimal, or out of range
  | 'value' // a card's value is outside its tier's bounds
  | 'order' // cards of a tier not sorted by id, or an id twice
  | 'weights' // the weights sum to 0, or to more than 64 bits
  | 'instant' // limited cards in a sealed pack that allows instant opens

/** Why a text is not a manifest, and in which line (from 1). */
export class ManifestError extends Error {
  override readonly name = 'ManifestError'

  constructor(
    readonly fault: ManifestFault,
    readonly line: number,
  ) {
    super(`line ${line}: ${fault}`)
  }
}

/** The limits of a sealed pack's lead in seconds. */
const MIN_LEAD = 2
const MAX_LEAD = 30
/** The maximum number of items per open, and the largest amount of money: the largest safe integer. */
const MAX_ITEMS = 1000
const MAX_AMOUNT = Number.MAX_SAFE_INTEGER
const MAX_I64 = (1n << 63n) - 1n
const MAX_U64 = (1n << 64n) - 1n
const ID = '[a-z0-9-]{1,64}'

/** Parses a manifest by the grammar of `kaibao/v1` or `kaibao/v2`. Throws ManifestError for anything else. */
export function parseManifest(bytes: Bytes): Manifest {
  const reader = new LineReader(linesOf(bytes))
  const [version] = reader.take(/^kaibao-manifest\/v([12])$/)
  const [pack] = reader.take(new RegExp(`^pack (${ID})$`))
  const [name] = reader.take(/^name (.+)$/su)
  const [price] = reader.take(/^price (\S+)$/)
  const priceCents = reader.amount(price)
  const [count] = reader.take(/^items (\S+)$/)
  const items = reader.amount(count, MAX_ITEMS)
  if (items === 0) throw reader.error('number')
  const sealing = version === '2' ? readSealing(reader) : null
  const tiers: Tier[] = []
  while (!reader.done) tiers.push(readTier(reader))
  const manifest: Manifest = { pack, name, priceCents, items, tiers, weightSum: checkWhole(reader, tiers), sealing }
  if (sealing?.instant && isFinite(manifest)) throw reader.error('instant')
  return manifest
}

function readSealing(reader: LineReader): Sealing {
  const [beacon] = reader.take(/^beacon ([0-9a-f]{64})$/)
  const [seconds] = reader.take(/^lead (\S+)$/)
  const lead = reader.amount(seconds, MAX_LEAD)
  if (lead < MIN_LEAD) throw reader.error('number')
  const [instant] = reader.take(/^instant (yes|no)$/)
  return { beacon, lead, instant: instant === 'yes' }
}

function linesOf(bytes: Bytes): string[] {
  const text = fromUtf8(bytes)
  if (text === null) throw new ManifestError('encoding', 1)
  if (!text.endsWith('\n')) throw new ManifestError('encoding', text.split('\n').length)
  const lines = text.slice(0, -1).split('\n')
  const bad = lines.findIndex((line) => /\p{Cc}/u.test(line))
  if (bad >= 0) throw new ManifestError('encoding', bad + 1)
  return lines
}

function readTier(reader: LineReader): Tier {
  const [weight, low, high, label] = reader.take(/^tier (\S+) (\S+) (\S+) (.+)$/su)
  const tier: Tier = {
    weight: reader.decimal(weight, MAX_U64),
    lowCents: reader.amount(low),
    highCents: reader.amount(high),
    label,
    cards: [],
  }
  if (tier.highCents !== 0 && tier.highCents <= tier.lowCents) throw reader.error('number')
  while (reader.sees('card ')) tier.cards.push(readCard(reader, tier))
  return tier
}

function readCard(reader: LineReader, tier: Tier): Card {
  const [id, value, stock] = reader.take(new RegExp(`^card (${ID}) (\\S+) (\\S+)$`))
  const valueCents = reader.amount(value)
  const inside = valueCents >= tier.lowCents && (tier.highCents === 0 || valueCents < tier.highCents)
  if (!inside) throw reader.error('value')
  const previous = tier.cards.at(-1)
  // Ids are ASCII, so the order of UTF-16 units is the order of bytes.
  if (previous && previous.id >= id) throw reader.error('order')
  return { id, valueCents, stock: stock === '-1' ? -1n : reader.decimal(stock, MAX_I64) }
}

/** Checks the manifest as a whole: weights to roll with, and no duplicate id. Returns the sum of weights. */
function checkWhole(reader: LineReader, tiers: Tier[]): bigint {
  const sum = tiers.reduce((total, tier) => total + tier.weight, 0n)
  if (sum === 0n || sum > MAX_U64) throw reader.error('weights')
  const ids = tiers.flatMap((tier) => tier.cards.map((card) => card.id))
  if (new Set(ids).size !== ids.length) throw reader.error('order')
  return sum
}

class LineReader {
  #at = 0

  constructor(private readonly lines: readonly string[]) {}

  get done(): boolean {
    return this.#at >= this.lines.length
  }

  sees(prefix: string): boolean {
    return this.lines[this.#at]?.startsWith(prefix) ?? false
  }

  /** Consumes the next line, which must match the pattern, and returns its groups. */
  take(shape: RegExp): Groups {
    const match = shape.exec(this.lines[this.#at++] ?? '')
    if (!match) throw this.error('line')
    return match.slice(1) as unknown as Groups
  }

  decimal(text: string, max: bigint): bigint {
    const value = decimal(text, max)
    if (value === null) throw this.error('number')
    return value
  }

  amount(text: string, max = MAX_AMOUNT): number {
    return Number(this.decimal(text, BigInt(max)))
  }

  /** An error in the last consumed line. */
  error(fault: ManifestFault): ManifestError {
    return new ManifestError(fault, this.#at)
  }
}

/** As many groups as the pattern has. */
type Groups = [string, string, string, string]

/** A canonical decimal (no sign, no leading zero) up to max; null for anything else. */
export function decimal(text: string, max: bigint = MAX_U64): bigint | null {
  if (!/^(?:0|[1-9][0-9]{0,19})$/.test(text)) return null
  const value = BigInt(text)
  return value <= max ? value : null
}

/** A canonical amount in cents; null for anything else. */
export function amount(text: string): number | null {
  const value = decimal(text, BigInt(MAX_AMOUNT))
  return value === null ? null : Number(value)
}
