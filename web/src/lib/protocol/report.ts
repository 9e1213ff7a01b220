import type { Bytes } from './bytes'

/** An open as the server's response showed it. Money in cents. */
export interface Claim {
  openId: string
  packId: string
  priceCents: number
  items: readonly { id: string; baseValueCents: number }[]
  totalValueCents: number
  serverSeedRevealed: string
  commitment: string
  clientSeed: string
  nonce: number
  manifestHash: string
  /** The draw's number in a pack of finite stock; 0 for an unlimited one. */
  drawSeq: number
}

/** The proof of one open, as the server hands it out and a file keeps it. */
export interface Proof {
  /** The open's leaf of the log. */
  leaf: string
  /** That leaf as a note which the log key has signed. */
  receipt: string
  /** The log's verifier key, "name+hash+base64"; null if there is only a receipt. */
  logKey: string | null
  /** Where in the log the leaf is, and the way from it to the checkpoint's root; null until it has its place. */
  index: number | null
  /** Base64, from the leaf upwards. */
  inclusionProof: readonly string[] | null
  /** A signed note. */
  checkpoint: string | null
}

/** What a proof is checked against, none of it taken from the proof. Each part may be unknown. */
export interface Evidence {
  /** The manifest's bytes as published. */
  manifest?: Bytes
  /** The log's verifier key as the site publishes it. */
  publishedKey?: string
  /** The commitment seen before the open. */
  shownCommitment?: string
  /** What was left before a draw of finite stock, by card id. */
  stock?: ReadonlyMap<string, bigint>
  /** What the visitor was shown as the result. */
  shown?: Claim
  /** The commitment of the same user's next open, as shown or used. */
  nextCommitment?: string
}

export type StepId =
  | 'commitment' // the revealed seed is the committed one
  | 'announced' // that commitment was shown before the open
  | 'manifest' // the manifest is the one whose hash was drawn with
  | 'terms' // the manifest is of this pack, with this price, number of items and kind of stock
  | 'key' // the key of all rolls, computed
  | 'item' // one item, drawn again
  | 'total' // the values add up
  | 'logKey' // the proof names the log key that the site publishes
  | 'receipt' // that key signed the receipt
  | 'leaf' // the receipt is the leaf
  | 'shown' // the leaf says what the visitor was shown
  | 'inclusion' // the leaf is in the log that the checkpoint signs for
  | 'checkpoint' // the log key signed the checkpoint
  | 'next' // the commitment announced for the next open is the one in force

/** Names of a step's inputs. The page has their labels. */
export type FactName =
  | 'logKey'
  | 'user'
  | 'time'
  | 'serverSeed'
  | 'clientSeed'
  | 'nonce'
  | 'manifestHash'
  | 'key'
  | 'tierRoll'
  | 'rejected'
  | 'tier'
  | 'fellTo'
  | 'cardRoll'
  | 'values'
  | 'index'
  | 'size'
  | 'leafHash'
  | 'siblings'
  | 'origin'

export interface Fact {
  name: FactName
  value: string
}

/** `info`: couldn't be checked here. Not evidence against the draw. */
export type StepState = 'ok' | 'failed' | 'info'

/** Why a step could not be decided. */
export type NoteId =
  | 'unsupported' // this browser cannot check Ed25519
  | 'announced' // the seal seen before is not known here
  | 'stock' // which card it is depends on the stock before, which only the whole log tells
  | 'manifest' // the manifest is not at hand
  | 'logKey' // the published key is not at hand
  | 'receiptOnly' // a receipt alone does not tell what is in the log
  | 'waiting' // the log has not taken the leaf in yet
  | 'next' // the next open is not known here
  | 'newer' // the leaf is of a kind that only a newer verifier knows

export interface Step {
  id: StepId
  /** Which item, from 0, for steps of id `item`. */
  item?: number
  state: StepState
  /** Only with `info`. */
  note?: NoteId
  inputs: Fact[]
  expected: string
  got: string
}

/** One word for all steps: `info` when nothing failed but something could not be decided. */
export function verdict(steps: readonly Step[]): StepState {
  const has = (state: StepState) => steps.some((step) => step.state === state)
  return has('failed') || steps.length === 0 ? 'failed' : has('info') ? 'info' : 'ok'
}

export function compared(id: StepId, inputs: Fact[], expected: string, got: string): Step {
  return { id, state: expected === got ? 'ok' : 'failed', inputs, expected, got }
}

/** A step that cannot be decided here. */
export function undecided(id: StepId, note: NoteId, inputs: Fact[], got = ''): Step {
  return { id, state: 'info', note, inputs, expected: '', got }
}

export function fact(name: FactName, value: string | number | bigint): Fact {
  return { name, value: String(value) }
}
