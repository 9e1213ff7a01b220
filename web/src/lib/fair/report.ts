import type { Bytes } from './bytes'

/** What the server's answer to an open says. Money in cents. */
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
  /** The open's leaf as a signed note. */
  receipt: string
}

/** What the claim is checked against, none of it taken from the claim. */
export interface Evidence {
  /** The manifest's bytes as published. */
  manifest: Bytes
  /** The log's verifier key, "name+hash+base64". */
  logKey: string
  /** The commitment seen before the open, when it is known. */
  shownCommitment?: string
  /** What was left before a draw of finite stock, by card id, when it is known. */
  stock?: ReadonlyMap<string, bigint>
}

export type StepId =
  | 'receipt' // the log key signed the receipt
  | 'leaf' // the signed leaf says what the answer said
  | 'commitment' // the revealed seed is the committed one
  | 'announced' // that commitment was shown before the open
  | 'manifest' // the manifest is the one whose hash was drawn with
  | 'terms' // the manifest is of this pack, with this price, number of items and kind of stock
  | 'item' // one item, drawn again
  | 'total' // the values add up

/** The numbers behind a step, by name; the texts for the names are the page's matter. */
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

export interface Fact {
  name: FactName
  value: string
}

/** `info`: could not be decided here, with what is at hand; says nothing against the draw. */
export type StepState = 'ok' | 'failed' | 'info'

export interface Step {
  id: StepId
  /** Which item, from 0, for steps of id `item`. */
  item?: number
  state: StepState
  inputs: Fact[]
  expected: string
  got: string
}

/** One word for all steps: `info` when nothing failed but something could not be decided. */
export function verdict(steps: readonly Step[]): StepState {
  const has = (state: StepState) => steps.some((step) => step.state === state)
  return has('failed') || steps.length === 0 ? 'failed' : has('info') ? 'info' : 'ok'
}
