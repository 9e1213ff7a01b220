/** An honest open with a key of its own, for tests to tell lies about. */

import { type Bytes, concat, fromHex, toBase64, toHex, utf8 } from './bytes'
import { type DrawnItem, draw } from './draw'
import { commitmentOf, sha256 } from './hash'
import { parseManifest } from './manifest'
import { leafHash, nodeHash } from './merkle'
import type { Claim, Evidence, Proof } from './report'

export interface LogSigner {
  /** "name+hash+base64" */
  verifierKey: string
  sign: (text: string) => Promise<string>
}

export async function newSigner(name = 'kaibao.test/log'): Promise<LogSigner> {
  const pair = await crypto.subtle.generateKey('Ed25519', true, ['sign', 'verify'])
  const raw = new Uint8Array(await crypto.subtle.exportKey('raw', pair.publicKey))
  const key = concat(Uint8Array.of(1), raw)
  const hash = (await sha256(concat(utf8(`${name}\n`), key))).slice(0, 4)
  return {
    verifierKey: `${name}+${toHex(hash)}+${toBase64(key)}`,
    async sign(text) {
      const signature = new Uint8Array(await crypto.subtle.sign('Ed25519', pair.privateKey, utf8(text)))
      return `${text}\n— ${name} ${toBase64(concat(hash, signature))}\n`
    },
  }
}

export const manifestText = `kaibao-manifest/v1
pack demo-pack-1
name Demo Pack 1
price 2500
items 3
tier 600 0 0 Common
card c-0 100 -1
card c-1 101 -1
tier 300 0 0 Rare
card r-0 1000 -1
card r-1 1001 -1
tier 100 0 0 Epic
card e-0 5000 -1
`

export const nextCommitment = 'ab'.repeat(32)

const serverSeed = '2c2b20b28c9ec0fa3b2e706e304949ef33db2fa9b6e98bda55bd39db2cc1c841'

/** The leaf of a claim, as an honest server writes it. */
export function leafText(claim: Claim): string {
  return `kaibao-open/v1
id ${claim.openId}
user ${'5e'.repeat(16)}
nonce ${claim.nonce}
pack ${claim.packId}
manifest ${claim.manifestHash}
draw ${claim.drawSeq}
commitment ${claim.commitment}
serverSeed ${claim.serverSeedRevealed}
clientSeed ${toBase64(utf8(claim.clientSeed))}
items ${claim.items.map(({ id, baseValueCents }) => `${id}:${baseValueCents}`).join(' ')}
price ${claim.priceCents}
time 2026-01-02T03:04:05.678Z
next ${nextCommitment}
`
}

export interface HonestOpen {
  /** What the answer showed, with its receipt as the answer carries it. */
  claim: Claim & { receipt: string }
  proof: Proof
  evidence: Evidence & { manifest: Bytes; publishedKey: string }
  signer: LogSigner
}

export async function honestOpen(text = manifestText, drawSeq = 0): Promise<HonestOpen> {
  const manifest = utf8(text)
  const parsed = parseManifest(manifest)
  const hash = await sha256(manifest)
  const seed = fromHex(serverSeed, 32)!
  const clientSeed = 'f00d'.repeat(16)
  const drawn = (await draw({
    manifest: parsed,
    manifestHash: hash,
    serverSeed: seed,
    clientSeed,
    nonce: 12n,
  })) as DrawnItem[]
  const items = drawn.map(({ card }) => ({ id: card.id, baseValueCents: card.valueCents }))
  const claim: Claim = {
    openId: '01890a5d-ac96-774b-bcce-b302099a8057',
    packId: parsed.pack,
    priceCents: parsed.priceCents,
    items,
    totalValueCents: items.reduce((sum, item) => sum + item.baseValueCents, 0),
    serverSeedRevealed: serverSeed,
    commitment: toHex(await commitmentOf(seed)),
    clientSeed,
    nonce: 12,
    manifestHash: toHex(hash),
    drawSeq,
  }
  const signer = await newSigner()
  const proof = await logged(leafText(claim), signer)
  return {
    claim: { ...claim, receipt: proof.receipt },
    proof,
    signer,
    evidence: {
      manifest,
      publishedKey: signer.verifierKey,
      shownCommitment: claim.commitment,
      shown: claim,
      nextCommitment,
    },
  }
}

/** The proof of a leaf that is the third of a log of five. */
export async function logged(leaf: string, signer: LogSigner): Promise<Proof> {
  const [a, b, d, e] = (await Promise.all(['a', 'b', 'd', 'e'].map((text) => leafHash(utf8(text))))) as [
    Bytes,
    Bytes,
    Bytes,
    Bytes,
  ]
  const left = await nodeHash(a, b)
  const right = await nodeHash(await leafHash(utf8(leaf)), d)
  const root = await nodeHash(await nodeHash(left, right), e)
  return {
    leaf,
    receipt: await signer.sign(leaf),
    logKey: signer.verifierKey,
    index: 2,
    inclusionProof: [d, left, e].map(toBase64),
    checkpoint: await signer.sign(`kaibao.test/log\n5\n${toBase64(root)}\n`),
  }
}
