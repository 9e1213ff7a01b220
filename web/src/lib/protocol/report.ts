import type { Chain } from './beacon'
import type { Bytes } from './bytes'
import type { ReplacedKey } from './replaced-keys'
import type { Policy } from './witnesses'

/** An open as shown in the server's response. Money is in cents. */
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
  /** The draw's number in a pack with limited stock; 0 for an unlimited one. */
  drawSeq: number
}

/** The proof of an open, as in the server's response and in downloaded files. */
export interface Proof {
  /** The open's leaf of the log. */
  leaf: string
  /** The leaf as a note signed by the log key; empty if that key was replaced and is gone. */
  receipt: string
  /** The log's verifier key, "name+hash+base64"; null if there is only a receipt. */
  logKey: string | null
  /** The leaf's index in the log; null until the log contains it. */
  index: number | null
  /** Sibling hashes from the leaf to the checkpoint's root, in base64; null like the index. */
  inclusionProof: readonly string[] | null
  /** A signed note. */
  checkpoint: string | null
  /** Only for a sealed open: its order. A proof may have only the leaf and its receipt. */
  order?: Partial<IncludedLeaf> & Pick<IncludedLeaf, 'leaf'>
  /** Only for a sealed open: the leaf of its round. */
  round?: IncludedLeaf
  /** Hashes in base64 from the checkpoint in that leaf to the proof's. */
  consistency?: readonly string[] | null
}

/** Another leaf in the signed tree of a proof. */
export interface IncludedLeaf {
  leaf: string
  receipt?: string
  index: number
  inclusionProof: readonly string[]
}

/** Whether a leaf has its place in the log. */
export const isIncluded = (
  leaf: Proof | Proof['order'],
): leaf is (Proof | NonNullable<Proof['order']>) & IncludedLeaf =>
  typeof leaf?.index === 'number' && Array.isArray(leaf.inclusionProof)

/** Independent data that a proof is checked against. Each part may be unknown. */
export interface Evidence {
  /** The manifest's bytes as published. */
  manifest?: Bytes
  /** The log's verifier key as the site publishes it. */
  publishedKey?: string
  /** The server's proofs that earlier keys led to the published one. */
  replacedKeys?: readonly ReplacedKey[]
  /** When the current log began, if it continues another one. */
  logBegan?: string
  /** The commitment seen before the open. */
  shownCommitment?: string
  /** Stock before the draw by card id, for packs with limited stock. */
  stock?: ReadonlyMap<string, bigint>
  /** The result that the visitor was shown. */
  shown?: Claim
  /** The receipt of a sealed open's order, kept since the order. */
  orderReceipt?: string
  /** The description of the manifest's beacon, if verifiers don't know it. */
  beacon?: Chain
  /** The witnesses that the visitor trusts. */
  witnesses?: Policy
  /** The commitment of the same user's next open, as shown or used. */
  nextCommitment?: string
}

/** Public data that receipts are checked against. */
export interface PublicData {
  manifest: NonNullable<Evidence['manifest']>
  publishedKey: string
  replacedKeys: readonly ReplacedKey[]
  /** The description of the pack's beacon, if it has one that verifiers don't know. */
  beacon?: Chain
}

export type StepId =
  | 'commitment' // the revealed seed is the committed one
  | 'announced' // that commitment was shown before the open
  | 'manifest' // the manifest is the one whose hash was drawn with
  | 'terms' // the manifest has this pack, price, number of items and kind of stock
  | 'order' // the draw belongs to this order
  | 'orderReceipt' // the log key signed the order's receipt
  | 'round' // the order is drawn with the first round that its lead allows
  | 'beacon' // the beacon signed that round
  | 'fixed' // the order was in the log before that round
  | 'drawn' // the order was drawn
  | 'key' // the key of all rolls, computed
  | 'item' // an item, replayed
  | 'total' // the values add up
  | 'logKey' // the proof names the log key that the site publishes, or an earlier one that led to it
  | 'receipt' // that key signed the receipt
  | 'leaf' // the receipt's text is the leaf
  | 'shown' // the leaf matches what the visitor was shown
  | 'inclusion' // the leaf is in the log that the checkpoint signs for
  | 'checkpoint' // the log key signed the checkpoint
  | 'next' // the commitment announced for the next open is the current one

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
  | 'currentKey'
  | 'orderHash'
  | 'round'
  | 'roundTime'
  | 'beacon'
  | 'signature'
  | 'reason'
  | 'witness' // a witness that the visitor trusts, and when it cosigned
  | 'operatorWitness' // a witness that only the log names, unchecked

export interface Fact {
  name: FactName
  value: string
}

/** `info`: couldn't be checked here. Not evidence against the draw. */
export type StepState = 'ok' | 'failed' | 'info'

/** Why a step couldn't be checked. */
export type NoteId =
  | 'unsupported' // this browser doesn't support Ed25519
  | 'announced' // the commitment shown before the open is unknown here
  | 'stock' // the card depends on the previous stock, which only the whole log shows
  | 'manifest' // the manifest is missing
  | 'logKey' // the published key is missing
  | 'receiptOnly' // a receipt doesn't show what is in the log
  | 'waiting' // the log doesn't contain the leaf yet
  | 'next' // the next open is unknown here
  | 'newCommitments' // the log has another name since, and a restore replaced all unused commitments
  | 'replacedKey' // the key that signed the receipt was replaced and is gone
  | 'order' // the order of this draw is unknown here
  | 'beacon' // the description of the beacon is missing
  | 'ownBeacon' // the round is signed, but verifiers don't know the beacon
  | 'unwitnessed' // no witness had cosigned any tree before the round
  | 'operatorWitnesses' // the visitor has named no witnesses, so only those of the operator cosigned
  | 'unproven' // too few of the visitor's witnesses had cosigned a tree with the order before its round
  | 'unprovenOpen' // the open itself isn't proven to be in the log
  | 'roundLeaf' // the proof doesn't have the leaf of the round
  | 'roundTime' // when the round was published isn't known
  | 'pending' // the order isn't drawn yet
  | 'voided' // the order was refunded, as its round was missing
  | 'lost' // a restore lost the order's seed and charge
  | 'endedLog' // the order was fixed in a log that ended
  | 'newer' // the leaf has a version that needs a newer verifier

export interface Step {
  id: StepId
  /** Which item, from 0, for steps of id `item`. */
  item?: number
  state: StepState
  /** Set only if the state is `info`. */
  note?: NoteId
  inputs: Fact[]
  expected: string
  got: string
}

/** The overall state: `info` if no step failed but one couldn't be checked. */
export function verdict(steps: readonly Step[]): StepState {
  const has = (state: StepState) => steps.some((step) => step.state === state)
  return has('failed') || steps.length === 0 ? 'failed' : has('info') ? 'info' : 'ok'
}

export function compared(id: StepId, inputs: Fact[], expected: string, got: string): Step {
  return { id, state: expected === got ? 'ok' : 'failed', inputs, expected, got }
}

/** A step that can't be checked here. */
export function undecided(id: StepId, note: NoteId, inputs: Fact[], got = ''): Step {
  return { id, state: 'info', note, inputs, expected: '', got }
}

export function fact(name: FactName, value: string | number | bigint): Fact {
  return { name, value: String(value) }
}
