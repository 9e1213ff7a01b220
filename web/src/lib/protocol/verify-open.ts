import { parseNote } from './note'
import { signerOf, trustedKeys, type ReplacedKey } from './replaced-keys'
import { parseOpenLeaf } from './leaf'
import { type Claim, compared, type Evidence, type Step } from './report'
import { verifyProof } from './verify'

/** What the page asked for. The receipt must say the same. */
export interface Asked {
  packId: string
  clientSeed: string
  commitment: string
  manifest: string
}

/** The server's answer to an open. */
export interface Answered extends Claim {
  receipt: string
  next: { commitment: string; nonce: number }
}

/** Public data that receipts are checked against. */
export interface PublicData {
  manifest: NonNullable<Evidence['manifest']>
  publishedKey: string
  replacedKeys: readonly ReplacedKey[]
}

/**
 * Verifies an open right after its answer: the receipt's signature, that it matches the request and the items shown, that
 * the draw gives the same items when repeated, and that the next commitment is the receipt's. Returns the failed steps.
 * Throws if the receipt's version is newer than this verifier.
 */
export async function verifyOpen(asked: Asked, answered: Answered, known: PublicData): Promise<Step[]> {
  const { receipt, next } = answered
  const leaf = parseNote(receipt)?.text ?? ''
  const trusted = await trustedKeys(known.publishedKey, known.replacedKeys)
  const steps = await verifyProof(
    {
      leaf,
      receipt,
      logKey: signerOf(receipt, trusted),
      index: null,
      inclusionProof: null,
      checkpoint: null,
    },
    {
      ...known,
      shown: {
        ...answered,
        packId: asked.packId,
        clientSeed: asked.clientSeed,
        commitment: asked.commitment,
        manifestHash: asked.manifest,
      },
      shownCommitment: asked.commitment,
      nextCommitment: next.commitment,
    },
  )
  const failed = steps.filter(({ state }) => state === 'failed')
  if (failed.length > 0) return failed
  const open = parseOpenLeaf(leaf)
  if (!open) throw new Error('The receipt needs a newer verifier.')
  const nonce = compared('next', [], String(open.nonce + 1n), String(next.nonce))
  return nonce.state === 'failed' ? [nonce] : []
}
