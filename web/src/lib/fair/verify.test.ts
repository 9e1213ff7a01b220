import { beforeAll, describe, expect, it, vi } from 'vitest'
import { toHex, utf8 } from './bytes'
import { type HonestOpen, honestOpen, leafText, manifestText, newSigner } from './fixture'
import { commitmentOf, sha256 } from './hash'
import { type Claim, type Evidence, type Step, verdict } from './report'
import { announcedBy, verifyOpening } from './verify'

let honest: HonestOpen

beforeAll(async () => {
  honest = await honestOpen()
})

const failing = (steps: Step[]) =>
  steps
    .filter((step) => step.state === 'failed')
    .map(({ id, item }) => (item === undefined ? id : `${id} ${item}`))

/** What fails when the server tells this lie in its answer, and signs it too if `signed`. */
async function caught(lie: Partial<Claim>, { signed = true, ...evidence }: Partial<Evidence> & { signed?: boolean } = {}) {
  const claim = { ...honest.claim, ...lie }
  if (signed) claim.receipt = await honest.signer.sign(leafText(claim))
  return failing(await verifyOpening(claim, { ...honest.evidence, ...evidence }))
}

const swapped = () =>
  honest.claim.items.map((item, i) => (i === 1 ? { id: 'e-0', baseValueCents: 5000 } : item))
const totalOf = (items: Claim['items']) => items.reduce((sum, item) => sum + item.baseValueCents, 0)

describe('an honest open', () => {
  it('passes every step', async () => {
    const steps = await verifyOpening(honest.claim, honest.evidence)
    expect(steps.map(({ id, state }) => `${id} ${state}`)).toEqual([
      'receipt ok',
      'leaf ok',
      'commitment ok',
      'announced ok',
      'manifest ok',
      'terms ok',
      'item ok',
      'item ok',
      'item ok',
      'total ok',
    ])
    expect(verdict(steps)).toBe('ok')
  })

  it('shows the numbers behind every item', async () => {
    const steps = await verifyOpening(honest.claim, honest.evidence)
    const item = steps.find((step) => step.id === 'item')
    const names = item?.inputs.map(({ name }) => name)
    expect(names).toEqual(
      expect.arrayContaining(['serverSeed', 'clientSeed', 'nonce', 'manifestHash', 'key', 'tierRoll', 'tier', 'cardRoll']),
    )
  })

  it('is told from one whose commitment nobody remembers', async () => {
    const { shownCommitment: _, ...evidence } = honest.evidence
    const steps = await verifyOpening(honest.claim, evidence)
    expect(steps.find(({ id }) => id === 'announced')?.state).toBe('info')
    expect(verdict(steps)).toBe('info')
  })

  it('announces the next commitment, if the log key signed it', async () => {
    const { receipt } = honest.claim
    const { logKey } = honest.evidence
    expect(await announcedBy(receipt, logKey)).toBe('ab'.repeat(32))
    expect(await announcedBy(receipt.replace('next ab', 'next ac'), logKey)).toBeNull()
    expect(await announcedBy(receipt, (await newSigner()).verifierKey)).toBeNull()
    expect(await announcedBy('no receipt', logKey)).toBeNull()
  })
})

describe('a lie is caught', () => {
  it('a better card put in the place of the drawn one', async () => {
    const items = swapped()
    expect(await caught({ items, totalValueCents: totalOf(items) })).toEqual(['item 1'])
  })

  it('the drawn card at another value', async () => {
    const items = honest.claim.items.map((item, i) => (i === 0 ? { ...item, baseValueCents: 99 } : item))
    expect(await caught({ items, totalValueCents: totalOf(items) })).toEqual(['item 0'])
  })

  it('a card kept back', async () => {
    const items = honest.claim.items.slice(0, 2)
    expect(await caught({ items, totalValueCents: totalOf(items) })).toEqual(['terms', 'item 2'])
  })

  it('a changed weight in the manifest', async () => {
    const manifest = utf8(manifestText.replace('tier 100 0 0 Epic', 'tier 1 0 0 Epic'))
    expect(await caught({}, { manifest })).toContain('manifest')
    // With the hash made to fit, the draw no longer does.
    const steps = await caught({ manifestHash: toHex(await sha256(manifest)) }, { manifest })
    expect(steps.some((step) => step.startsWith('item'))).toBe(true)
  })

  it('a manifest that is none', async () => {
    expect(await caught({}, { manifest: utf8(`${manifestText}\n`) })).toEqual(['manifest'])
  })

  it('a manifest of another price or pack', async () => {
    expect(await caught({ priceCents: 2400 })).toEqual(['terms'])
    expect(await caught({ packId: 'demo-pack-2' })).toEqual(['terms'])
  })

  it('an unlimited pack passed off as a finite one', async () => {
    expect(await caught({ drawSeq: 7 })).toContain('terms')
  })

  it('another seed than the committed one', async () => {
    const serverSeedRevealed = '00'.repeat(32)
    expect(await caught({ serverSeedRevealed })).toContain('commitment')
    const commitment = toHex(await commitmentOf(new Uint8Array(32)))
    expect(await caught({ serverSeedRevealed, commitment })).toContain('announced')
  })

  it('a seed that is none', async () => {
    expect(await caught({ serverSeedRevealed: 'zz' })).toEqual(['leaf', 'commitment'])
  })

  it('another nonce or client seed than the one drawn with', async () => {
    expect((await caught({ nonce: 13 })).length).toBeGreaterThan(0)
    expect((await caught({ clientSeed: 'other' })).length).toBeGreaterThan(0)
  })

  it('a wrong total', async () => {
    expect(await caught({ totalValueCents: honest.claim.totalValueCents + 1 })).toEqual(['total'])
  })

  it('a receipt that says something else than the answer', async () => {
    const items = swapped()
    const claim = { ...honest.claim, items }
    const steps = await verifyOpening(claim, honest.evidence)
    expect(failing(steps)).toContain('leaf')
    const leaf = steps.find(({ id }) => id === 'leaf')
    expect(leaf?.expected).toMatch(/^items .* e-0:5000 /)
    expect(leaf?.got).toMatch(/^items /)
  })

  it('any altered byte of the receipt', async () => {
    const { receipt } = honest.claim
    for (const [from, to] of [
      ['price 2500', 'price 2501'],
      ['nonce 12', 'nonce 13'],
      ['.678Z', '.679Z'],
      ['next ab', 'next ac'],
    ] as const) {
      expect(receipt).toContain(from)
      expect(await caught({ receipt: receipt.replace(from, to) }, { signed: false })).toContain('receipt')
    }
  })

  it('a receipt that is none', async () => {
    for (const receipt of ['', 'text\n', leafText(honest.claim), `${honest.claim.receipt}x`]) {
      expect(await caught({ receipt }, { signed: false })).toEqual(['receipt', 'leaf'])
    }
  })

  it("another key's signature", async () => {
    const other = await newSigner()
    expect(await caught({ receipt: await other.sign(leafText(honest.claim)) }, { signed: false })).toEqual(['receipt'])
  })

  it('a key whose hash is not its own', async () => {
    const logKey = honest.signer.verifierKey.replace(/\+[0-9a-f]{8}\+/, '+00000000+')
    expect(await caught({}, { logKey })).toEqual(['receipt'])
  })
})

it('says so when the browser cannot check Ed25519', async () => {
  vi.spyOn(crypto.subtle, 'importKey').mockImplementation(async (...args: unknown[]) => {
    if (args[2] === 'Ed25519') throw new DOMException('Unrecognized name.', 'NotSupportedError')
    vi.mocked(crypto.subtle.importKey).mockRestore()
    return crypto.subtle.importKey(...(args as Parameters<SubtleCrypto['importKey']>))
  })
  const [receipt] = await verifyOpening(honest.claim, honest.evidence)
  expect(receipt).toMatchObject({ id: 'receipt', state: 'info', got: 'unsupported' })
})

describe('a pack of finite stock', () => {
  const finite = manifestText.replaceAll('-1\n', '1\n')

  it('is drawn again in full when the stock before it is known', async () => {
    const { claim, evidence } = await honestOpen(finite, 4)
    const steps = await verifyOpening(claim, { ...evidence, stock: new Map() })
    expect(verdict(steps)).toBe('ok')
    // One card fewer before the draw gives another draw.
    const gone = new Map([[claim.items[0]!.id, 0n]])
    expect(failing(await verifyOpening(claim, { ...evidence, stock: gone }))).toContain('item 0')
  })

  it('without it, checks what does not depend on it and says the rest is open', async () => {
    const { claim, evidence } = await honestOpen(finite, 4)
    const steps = await verifyOpening(claim, evidence)
    const items = steps.filter(({ id }) => id === 'item')
    expect(items.map(({ state }) => state)).toEqual(['info', 'info', 'info'])
    expect(items[0]?.inputs.map(({ name }) => name)).toContain('tierRoll')
    expect(verdict(steps)).toBe('info')
  })

  it('without it, still catches a card that is not in the manifest', async () => {
    const { claim, evidence } = await honestOpen(finite, 4)
    const items = claim.items.map((item, i) => (i === 0 ? { ...item, baseValueCents: 1 } : item))
    expect(failing(await verifyOpening({ ...claim, items }, evidence))).toContain('item 0')
  })
})
