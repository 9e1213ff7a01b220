import { beforeAll, describe, expect, it, vi } from 'vitest'
import { toHex, utf8 } from './bytes'
import {
  type HonestOpen,
  honestOpen,
  leafText,
  logged,
  manifestText,
  newSigner,
  nextCommitment,
} from '@test/fixtures/protocol'
import { commitmentOf, sha256 } from './hash'
import { type Claim, type Evidence, type Proof, type Step, verdict } from './report'
import { verifyProof } from './verify'
import { announcedBy } from './verify-log'

let honest: HonestOpen

beforeAll(async () => {
  honest = await honestOpen()
})

const failing = (steps: Step[]) =>
  steps.filter((step) => step.state === 'failed').map(({ id, item }) => (item === undefined ? id : `${id} ${item}`))

/** The steps that fail when the server falsifies an open, both on the screen and in the log. */
async function failuresOf(falsified: Partial<Claim>, evidence: Partial<Evidence> = {}) {
  const claim = { ...honest.claim, ...falsified }
  const proof = await logged(leafText(claim), honest.signer)
  return failing(await verifyProof(proof, { ...honest.evidence, shown: claim, ...evidence }))
}

/** The steps that fail when a proof was changed. */
const failuresOfChanged = async (change: Partial<Proof>) =>
  failing(await verifyProof({ ...honest.proof, ...change }, honest.evidence))

const swapped = () => honest.claim.items.map((item, i) => (i === 1 ? { id: 'e-0', baseValueCents: 5000 } : item))
const totalOf = (items: Claim['items']) => items.reduce((sum, item) => sum + item.baseValueCents, 0)

describe('an honest open', () => {
  it('passes every step', async () => {
    const steps = await verifyProof(honest.proof, honest.evidence)
    expect(steps.map(({ id, state }) => `${id} ${state}`)).toEqual([
      'commitment ok',
      'announced ok',
      'manifest ok',
      'terms ok',
      'key ok',
      'item ok',
      'item ok',
      'item ok',
      'total ok',
      'logKey ok',
      'receipt ok',
      'leaf ok',
      'shown ok',
      'inclusion ok',
      'checkpoint ok',
      'next ok',
    ])
    expect(verdict(steps)).toBe('ok')
  })

  it('shows the numbers behind every item', async () => {
    const steps = await verifyProof(honest.proof, honest.evidence)
    const item = steps.find((step) => step.id === 'item')
    expect(item?.inputs.map(({ name }) => name)).toEqual(['key', 'tierRoll', 'tier', 'cardRoll'])
  })

  it('leaves steps open that the proof can’t show, and passes none of them', async () => {
    const steps = await verifyProof(honest.proof, {})
    expect(steps.filter(({ state }) => state === 'info').map(({ id, note }) => `${id}: ${note}`)).toEqual([
      'announced: announced',
      'manifest: manifest',
      'logKey: logKey',
      'next: next',
    ])
    expect(steps.map(({ id }) => id)).not.toContain('item')
    expect(verdict(steps)).toBe('info')
  })

  it('waits until the log includes its leaf', async () => {
    const waiting = { ...honest.proof, index: null, inclusionProof: null, checkpoint: null }
    const steps = await verifyProof(waiting, honest.evidence)
    expect(steps.filter(({ note }) => note === 'waiting').map(({ id }) => id)).toEqual(['inclusion', 'checkpoint'])
    expect(verdict(steps)).toBe('info')
  })

  it('with only its receipt is verified as far as possible', async () => {
    const { manifest: _, ...evidence } = honest.evidence
    const alone = { ...honest.proof, logKey: null, index: null, inclusionProof: null, checkpoint: null }
    const steps = await verifyProof(alone, evidence)
    expect(steps.filter(({ note }) => note === 'receiptOnly').map(({ id }) => id)).toEqual([
      'leaf',
      'inclusion',
      'checkpoint',
    ])
    expect(steps.find(({ id }) => id === 'receipt')?.state).toBe('ok')
    expect(steps.map(({ id }) => id)).not.toContain('logKey')
    expect(failing(await verifyProof({ ...alone, receipt: alone.receipt.replace('2500', '2501') }, evidence))).toEqual([
      'receipt',
    ])
  })

  it('contains the next commitment, if the log key signed it', async () => {
    const { receipt, logKey } = honest.proof
    expect(await announcedBy(receipt, logKey!)).toBe(nextCommitment)
    expect(await announcedBy(receipt.replace('next ab', 'next ac'), logKey!)).toBeNull()
    expect(await announcedBy(receipt, (await newSigner()).verifierKey)).toBeNull()
    expect(await announcedBy('no receipt', logKey!)).toBeNull()
  })
})

describe('detects', () => {
  it('a better card in place of the drawn one', async () => {
    const items = swapped()
    expect(await failuresOf({ items, totalValueCents: totalOf(items) })).toEqual(['item 1'])
  })

  it('the drawn card at another value', async () => {
    const items = honest.claim.items.map((item, i) => (i === 0 ? { ...item, baseValueCents: 99 } : item))
    expect(await failuresOf({ items, totalValueCents: totalOf(items) })).toEqual(['item 0'])
  })

  it('a missing card', async () => {
    const items = honest.claim.items.slice(0, 2)
    expect(await failuresOf({ items, totalValueCents: totalOf(items) })).toEqual(['terms', 'item 2'])
  })

  it('a changed weight in the manifest', async () => {
    const manifest = utf8(manifestText.replace('tier 100 0 0 Epic', 'tier 1 0 0 Epic'))
    expect(await failuresOf({}, { manifest })).toContain('manifest')
    // With a matching hash, the draw doesn't match.
    const steps = await failuresOf({ manifestHash: toHex(await sha256(manifest)) }, { manifest })
    expect(steps.some((step) => step.startsWith('item'))).toBe(true)
  })

  it('an invalid manifest', async () => {
    expect(await failuresOf({}, { manifest: utf8(`${manifestText}\n`) })).toEqual(['manifest'])
  })

  it('a manifest of another price or pack', async () => {
    expect(await failuresOf({ priceCents: 2400 })).toEqual(['terms'])
    expect(await failuresOf({ packId: 'demo-pack-2' })).toEqual(['terms'])
  })

  it('an unlimited pack passed off as a finite one', async () => {
    expect(await failuresOf({ drawSeq: 7 })).toContain('terms')
  })

  it('a seed other than the committed one', async () => {
    const serverSeedRevealed = '00'.repeat(32)
    expect(await failuresOf({ serverSeedRevealed })).toContain('commitment')
    const commitment = toHex(await commitmentOf(new Uint8Array(32)))
    expect(await failuresOf({ serverSeedRevealed, commitment })).toContain('announced')
  })

  it('a nonce or client seed other than those drawn with', async () => {
    expect((await failuresOf({ nonce: 13 })).length).toBeGreaterThan(0)
    expect((await failuresOf({ clientSeed: 'other' })).length).toBeGreaterThan(0)
  })

  it('a wrong total', async () => {
    expect(await failuresOf({ totalValueCents: honest.claim.totalValueCents + 1 })).toEqual(['total'])
  })

  it('a receipt that contradicts the screen', async () => {
    const shown = { ...honest.claim, items: swapped() }
    const steps = await verifyProof(honest.proof, { ...honest.evidence, shown })
    expect(failing(steps)).toEqual(['shown'])
    expect(steps.find(({ id }) => id === 'shown')?.expected).toMatch(/^items .* e-0:5000 \S+$/)
  })

  it('a commitment other than the one announced for the next open', async () => {
    expect(await failuresOf({}, { nextCommitment: 'ac'.repeat(32) })).toEqual(['next'])
  })

  it('a key other than the published one', async () => {
    expect(await failuresOf({}, { publishedKey: (await newSigner()).verifierKey })).toEqual(['logKey'])
  })
})

describe('a changed proof', () => {
  it.each([
    ['price 2500', 'price 2501'],
    ['nonce 12', 'nonce 13'],
    ['.678Z', '.679Z'],
    ['next ab', 'next ac'],
  ])('has an invalid receipt: %s', async (from, to) => {
    const { receipt } = honest.proof
    expect(receipt).toContain(from)
    expect(await failuresOfChanged({ receipt: receipt.replace(from, to) })).toEqual(['receipt', 'leaf'])
  })

  it.each([
    ['commitment', ['commitment', 'announced']],
    ['serverSeed', ['commitment']],
    ['price', ['terms']],
    ['next', ['next']],
  ])('has a leaf with a changed %s', async (field, steps) => {
    const leaf = honest.proof.leaf.replace(new RegExp(`(?<=^${field} )\\w`, 'm'), (char) => (char === '9' ? '8' : '9'))
    const found = await failuresOfChanged({ leaf })
    expect(found).toEqual(expect.arrayContaining(['leaf', 'inclusion', ...steps]))
    expect(found).not.toContain('receipt')
  })

  it('with a leaf of a future version needs a newer verifier', async () => {
    const text = 'kaibao-open/v2\nid 1\n'
    const proof = await logged(text, honest.signer)
    const steps = await verifyProof(proof, honest.evidence)
    expect(steps.find(({ id }) => id === 'leaf')).toMatchObject({ state: 'info', note: 'newer', got: 'kaibao-open/v2' })
    expect(steps.filter(({ state }) => state === 'failed')).toEqual([])
  })

  it('opens a sealed pack instantly', async () => {
    const sealed = (instant: string) =>
      manifestText.replace('/v1', '/v2').replace('tier', `beacon ${'5a'.repeat(32)}\nlead 3\ninstant ${instant}\ntier`)
    const failed = async ({ proof, evidence }: HonestOpen) => failing(await verifyProof(proof, evidence))
    expect(await failed(await honestOpen(sealed('yes')))).toEqual([])
    expect(await failed(await honestOpen(sealed('no')))).toEqual(['terms'])
  })

  it('has an invalid leaf', async () => {
    expect(await failuresOfChanged({ leaf: 'kaibao-open/v2\n' })).toEqual(['leaf', 'inclusion'])
  })

  it('has an invalid receipt', async () => {
    for (const receipt of ['', 'text\n', honest.proof.leaf, `${honest.proof.receipt}x`]) {
      expect(await failuresOfChanged({ receipt })).toEqual(['receipt', 'leaf'])
    }
  })

  it('is signed by another key', async () => {
    const other = await newSigner()
    expect(await failuresOfChanged({ receipt: await other.sign(honest.proof.leaf) })).toEqual(['receipt'])
    expect(
      await failuresOfChanged({ checkpoint: await other.sign(honest.proof.checkpoint!.split('\n\n')[0]! + '\n') }),
    ).toEqual(['checkpoint'])
  })

  it('has a key with a wrong key hash', async () => {
    const logKey = honest.proof.logKey!.replace(/\+[0-9a-f]{8}\+/, '+00000000+')
    expect(await failuresOfChanged({ logKey })).toEqual(['logKey', 'receipt', 'checkpoint'])
    const unpublished = await verifyProof({ ...honest.proof, logKey }, {})
    expect(failing(unpublished)).toContain('logKey')
  })

  it('leads to another root', async () => {
    expect(await failuresOfChanged({ index: 3 })).toEqual(['inclusion'])
    expect(await failuresOfChanged({ inclusionProof: honest.proof.inclusionProof!.toReversed() })).toEqual([
      'inclusion',
    ])
    expect(await failuresOfChanged({ inclusionProof: [] })).toEqual(['inclusion'])
    expect(await failuresOfChanged({ inclusionProof: ['no base64'] })).toEqual(['inclusion'])
  })

  it('names a log state other than the signed one', async () => {
    const checkpoint = honest.proof.checkpoint!.replace('\n5\n', '\n9\n')
    expect(await failuresOfChanged({ checkpoint })).toEqual(['inclusion', 'checkpoint'])
    expect(await failuresOfChanged({ checkpoint: 'no note' })).toEqual(['inclusion', 'checkpoint'])
  })
})

it('reports that the browser doesn’t support Ed25519', async () => {
  const importKey = crypto.subtle.importKey.bind(crypto.subtle)
  vi.spyOn(crypto.subtle, 'importKey').mockImplementation(async (...args: unknown[]) => {
    if (args[2] === 'Ed25519') throw new DOMException('Unrecognized name.', 'NotSupportedError')
    return importKey(...(args as Parameters<SubtleCrypto['importKey']>))
  })
  const steps = await verifyProof(honest.proof, honest.evidence)
  expect(steps.filter(({ note }) => note === 'unsupported').map(({ id, state }) => `${id} ${state}`)).toEqual([
    'receipt info',
    'checkpoint info',
  ])
  expect(verdict(steps)).toBe('info')
})

describe('a pack with limited stock', () => {
  const finite = manifestText.replaceAll('-1\n', '1\n')

  it('is fully replayed when the previous stock is known', async () => {
    const { claim, proof, evidence } = await honestOpen(finite, 4)
    const steps = await verifyProof(proof, { ...evidence, stock: new Map() })
    expect(verdict(steps)).toBe('ok')
    // A different stock before the draw gives another draw.
    const gone = new Map([[claim.items[0]!.id, 0n]])
    expect(failing(await verifyProof(proof, { ...evidence, stock: gone }))).toContain('item 0')
  })

  it('without it, checks the independent steps and leaves the rest open', async () => {
    const { proof, evidence } = await honestOpen(finite, 4)
    const steps = await verifyProof(proof, evidence)
    const items = steps.filter(({ id }) => id === 'item')
    expect(items.map(({ state, note }) => `${state} ${note}`)).toEqual(Array.from({ length: 3 }, () => 'info stock'))
    expect(items[0]?.inputs.map(({ name }) => name)).toContain('tierRoll')
    expect(verdict(steps)).toBe('info')
  })

  it('without it, still detects a card that is not in the manifest', async () => {
    const { claim, evidence, signer } = await honestOpen(finite, 4)
    const items = claim.items.map((item, i) => (i === 0 ? { ...item, baseValueCents: 1 } : item))
    const proof = await logged(leafText({ ...claim, items }), signer)
    expect(failing(await verifyProof(proof, evidence))).toContain('item 0')
  })
})
