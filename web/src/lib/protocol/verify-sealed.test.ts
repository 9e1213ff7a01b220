import { bls12_381 } from '@noble/curves/bls12-381.js'
import { beforeAll, describe, expect, it } from 'vitest'
import { newSigner } from '@test/fixtures/protocol'
import { newSealedServer, type SealedOpen, type SealedServer } from '@test/fixtures/sealed'
import { type Chain, chainHash } from './beacon'
import { utf8 } from './bytes'
import { parseNote } from './note'
import type { Evidence, Proof, Step, StepId } from './report'
import { verifyProof } from './verify'
import { verifyDraw, verifyOrder } from './verify-open'

const own: Chain = {
  genesis: 1_700_000_000,
  period: 1,
  key: bls12_381.shortSignatures.getPublicKey(Uint8Array.from({ length: 32 }, (_, i) => i)).toHex(),
  groupHash: '00'.repeat(32),
  id: 'kaibao-sandbox',
}

let server: SealedServer
let opened: SealedOpen

beforeAll(async () => {
  server = await newSealedServer('2', 3)
  opened = await server.open('my seed')
})

const textOf = (note: string) => parseNote(note)!.text
const asked = () => ({
  packId: '2',
  clientSeed: 'my seed',
  commitment: opened.ordered.commitment,
  manifest: opened.manifestHash,
})
const known = () => ({ manifest: opened.manifest, publishedKey: server.signer.verifierKey, replacedKeys: [] })
const proof = (): Proof => ({
  leaf: textOf(opened.drawn.receipt),
  receipt: opened.drawn.receipt,
  logKey: server.signer.verifierKey,
  index: null,
  inclusionProof: null,
  checkpoint: null,
})
const evidence = (): Evidence => ({
  ...known(),
  orderReceipt: opened.ordered.receipt,
  shown: opened.drawn,
  shownCommitment: opened.ordered.commitment,
  nextCommitment: opened.ordered.next.commitment,
})
const stateOf = (steps: readonly Step[], id: StepId) => {
  const { state, note } = steps.find((step) => step.id === id) ?? {}
  return note ? `${state}: ${note}` : state
}
const failed = (steps: readonly Step[]) => steps.filter(({ state }) => state === 'failed').map(({ id }) => id)

describe('a sealed open', () => {
  it('passes every check but those that need witnesses or the log', async () => {
    const steps = await verifyProof(proof(), evidence())
    const open = steps.filter(({ state }) => state !== 'ok').map(({ id }) => id)
    expect(open).toEqual(['fixed', 'inclusion', 'checkpoint'])
    expect(stateOf(steps, 'fixed')).toBe('info: waiting')
    expect(steps.filter(({ id }) => id === 'item')).toHaveLength(3)
  })

  it('takes the order from the proof, too', async () => {
    const { orderReceipt: receipt = '', ...others } = evidence()
    const steps = await verifyProof({ ...proof(), order: { leaf: textOf(receipt), receipt } }, others)
    expect(failed(steps)).toEqual([])
    expect(stateOf(steps, 'orderReceipt')).toBe('ok')
    const unsigned = await verifyProof({ ...proof(), order: { leaf: textOf(receipt) } }, others)
    expect(stateOf(unsigned, 'order')).toBe('ok')
    expect(stateOf(unsigned, 'orderReceipt')).toBe('info: order')
  })

  it('leaves open what depends on an unknown order', async () => {
    const { orderReceipt: _, ...others } = evidence()
    const steps = await verifyProof(proof(), others)
    expect(failed(steps)).toEqual([])
    for (const id of ['order', 'orderReceipt', 'round', 'key'] as const) expect(stateOf(steps, id)).toBe('info: order')
    expect(stateOf(steps, 'beacon')).toBe('ok')
    expect(steps.some(({ id }) => id === 'item')).toBe(false)
  })

  it('fails with another order of the same player', async () => {
    const other = await server.open('another seed')
    const steps = await verifyProof(proof(), { ...evidence(), orderReceipt: other.ordered.receipt })
    expect(failed(steps)).toEqual(expect.arrayContaining(['order', 'item', 'shown']))
  })

  it.each([
    ['another signature', /^signature .*$/m, `signature 8${'d'.repeat(95)}`, ['beacon']],
    ['another round', /^round .*$/m, 'round 657414', ['order', 'beacon']],
    ['another item', /^items [^:]*/m, 'items e-0', ['item']],
    ['a time before its round', /^time .*$/m, 'time 2023-09-15T10:59:30.000Z', ['round']],
  ])('fails with %s in its leaf', async (_, pattern, line, steps) => {
    const leaf = textOf(opened.drawn.receipt).replace(pattern, line)
    const forged = { ...proof(), leaf, receipt: await server.signer.sign(leaf) }
    expect(failed(await verifyProof(forged, evidence()))).toEqual(expect.arrayContaining(steps))
  })

  it('fails if the round isn’t the one that its order’s time gives', async () => {
    const text = textOf(opened.ordered.receipt).replace(/^time .*$/m, 'time 2023-09-15T10:59:30.000Z')
    const orderReceipt = await server.signer.sign(text)
    expect(failed(await verifyProof(proof(), { ...evidence(), orderReceipt }))).toContain('round')
  })

  it('fails with an order that another key signed', async () => {
    const other = await newSealedServer('2', 3)
    const orderReceipt = await other.signer.sign(textOf(opened.ordered.receipt))
    expect(failed(await verifyProof(proof(), { ...evidence(), orderReceipt }))).toEqual(['orderReceipt'])
  })
})

describe('after a restore, when the log goes on under another name', () => {
  const renamed = () => server.signer.renamed('kaibao.test/log/0123456789abcdef')
  const drawn = async (others: Partial<Proof>, more: Evidence = {}) =>
    verifyProof({ ...proof(), ...others }, { ...evidence(), publishedKey: (await renamed()).verifierKey, ...more })

  it('passes if order and draw are in the ended log', async () => {
    const { orderReceipt: receipt = '' } = evidence()
    const order = { leaf: textOf(receipt), receipt }
    expect(failed(await drawn({ order }))).toEqual([])
    expect(failed(await drawn({ ...(await server.prove(opened, (text) => Promise.resolve(text))) }))).toEqual([])
  })

  it('passes if the order was signed before, and drawn after it', async () => {
    const { verifierKey: logKey, sign } = await renamed()
    const receipt = await sign(proof().leaf)
    const steps = await drawn({ logKey, receipt })
    expect(failed(steps)).toEqual([])
    expect(stateOf(steps, 'orderReceipt')).toBe('ok')
    // Without the site's answer, the key is the proof's.
    const { publishedKey: _, ...offline } = evidence()
    expect(failed(await verifyProof({ ...proof(), logKey, receipt }, offline))).toEqual([])
  })

  it('fails with an order that another key signed, whatever its name', async () => {
    for (const name of ['kaibao.test/log', 'kaibao.test/log/0123456789abcdef']) {
      const other = await newSigner(name)
      const orderReceipt = await other.sign(textOf(opened.ordered.receipt))
      expect(failed(await drawn({}, { orderReceipt }))).toEqual(['orderReceipt'])
    }
  })

  it('leaves the next commitment open if it is another one, because a restore replaces all unused ones', async () => {
    const { verifierKey: logKey, sign } = await renamed()
    const nextCommitment = 'ab'.repeat(32)
    const receipt = await sign(proof().leaf)
    for (const others of [{}, { logKey, receipt }]) {
      const steps = await drawn(others, { nextCommitment })
      expect(failed(steps)).toEqual([])
      expect(stateOf(steps, 'next')).toBe('info: newCommitments')
      expect(stateOf(await drawn(others), 'next')).toBe('ok')
    }
    const { receipt: pending } = opened.ordered
    expect(stateOf(await drawn({ leaf: textOf(pending), receipt: pending }, { nextCommitment }), 'next')).toBe(
      'info: newCommitments',
    )
    // In the log that goes on, it must be the announced one.
    const orderReceipt = await sign(textOf(pending))
    expect(failed(await drawn({ logKey, receipt }, { nextCommitment, orderReceipt }))).toEqual(['next'])
    expect(failed(await verifyProof(proof(), { ...evidence(), nextCommitment }))).toEqual(['next'])
  })

  it('leaves it open to an owner who has no receipt of the order, if the log began after the order', async () => {
    const { verifierKey: logKey, sign } = await renamed()
    const leaf = textOf(opened.ordered.receipt)
    const copied = { logKey, receipt: await sign(proof().leaf), order: { leaf, receipt: await sign(leaf) } }
    const { orderReceipt: _, ...others } = evidence()
    const next = async (logBegan?: string) =>
      stateOf(
        await verifyProof(
          { ...proof(), ...copied },
          { ...others, publishedKey: logKey, nextCommitment: 'ab'.repeat(32), ...(logBegan && { logBegan }) },
        ),
        'next',
      )
    const { orderedAt } = opened.ordered.order!
    expect(await next(opened.drawn.createdAt)).toBe('info: newCommitments')
    expect(await next(orderedAt)).toBe('failed')
    expect(await next()).toBe('failed')
  })

  it('verifies the draw right after its answer', async () => {
    const { verifierKey: publishedKey, sign } = await renamed()
    const answer = { ...opened.drawn, receipt: await sign(textOf(opened.drawn.receipt)) }
    const now = { ...known(), publishedKey }
    expect(await verifyDraw(asked(), answer, opened.ordered.receipt, now)).toEqual([])
  })
})

describe('a beacon that verifiers don’t know', () => {
  const withBeacon = async (described: Chain | undefined) => {
    const site = await newSealedServer('2', 1, (await chainHash(own))!)
    const { manifest, ordered, drawn } = await site.open('my seed')
    const of: Proof = {
      ...proof(),
      leaf: textOf(drawn.receipt),
      receipt: drawn.receipt,
      logKey: site.signer.verifierKey,
    }
    const publishedKey = site.signer.verifierKey
    return verifyProof(of, {
      manifest,
      publishedKey,
      orderReceipt: ordered.receipt,
      ...(described && { beacon: described }),
    })
  }

  it('leaves the round open without its description', async () => {
    const steps = await withBeacon(undefined)
    expect(failed(steps)).toEqual([])
    expect(stateOf(steps, 'beacon')).toBe('info: beacon')
    expect(stateOf(steps, 'round')).toBe('info: beacon')
  })

  it('fails if its description has another hash, or it didn’t sign the round', async () => {
    expect(failed(await withBeacon({ ...own, period: 2 }))).toContain('beacon')
    expect(failed(await withBeacon(own))).toContain('beacon')
  })
})

describe('an order', () => {
  it('passes right after its answer', async () => {
    expect(await verifyOrder(asked(), opened.ordered, known())).toEqual([])
  })

  it.each([
    ['another seed', { clientSeed: 'other' }, {}, ['shown']],
    ['another pack', { packId: '3' }, {}, ['shown']],
    ['another next commitment', {}, { next: { commitment: 'ab'.repeat(32), nonce: 13 } }, ['shown']],
    ['a skipped nonce', {}, { next: { nonce: 14 } }, ['next']],
    ['another round', {}, { order: { round: 1 } }, ['shown']],
  ])('fails with %s', async (_, question, answer, steps) => {
    const answered = { ...opened.ordered, ...answer }
    const next = { ...opened.ordered.next, ...(answer as { next?: object }).next }
    const result = await verifyOrder({ ...asked(), ...question }, { ...answered, next }, known())
    expect(result.map(({ id }) => id)).toEqual(steps)
  })

  it('fails with a manifest that isn’t the one it names', async () => {
    const text = new TextDecoder().decode(opened.manifest)
    const verify = async (forged: string) => {
      const steps = await verifyOrder(asked(), opened.ordered, { ...known(), manifest: utf8(forged) })
      return steps.map(({ id }) => id)
    }
    expect(await verify(text.replace(/^name .*$/m, 'name Another'))).toEqual(['manifest'])
    expect(await verify(text.replace(/^lead .*$/m, 'lead 30'))).toEqual(['manifest', 'round'])
    expect(await verify('no manifest')).toContain('manifest')
  })

  it('fails if the receipt is one of an instant open, or unsigned', async () => {
    const receipt = opened.drawn.receipt
    expect((await verifyOrder(asked(), { ...opened.ordered, receipt }, known())).map(({ id }) => id)).toEqual(['leaf'])
    const unsigned = opened.ordered.receipt.replace(/— .*/, '— kaibao.test/log AAAA')
    const steps = await verifyOrder(asked(), { ...opened.ordered, receipt: unsigned }, known())
    expect(steps.map(({ id }) => id)).toContain('leaf')
  })
})

describe('a draw', () => {
  it('passes with the receipt of its order', async () => {
    expect(await verifyDraw(asked(), opened.drawn, opened.ordered.receipt, known())).toEqual([])
  })

  it('fails with other items', async () => {
    const items = opened.drawn.items.map((item) => ({ ...item, baseValueCents: 1 }))
    const steps = await verifyDraw(asked(), { ...opened.drawn, items }, opened.ordered.receipt, known())
    expect(steps.map(({ id }) => id)).toEqual(['shown'])
  })

  it('fails with the receipt of its order, or of an instant open', async () => {
    for (const kind of ['kaibao-order/v1', 'kaibao-open/v1', 'kaibao-open/v3']) {
      const text = textOf(opened.ordered.receipt).replace('kaibao-order/v1', kind)
      const answer = { ...opened.drawn, receipt: await server.signer.sign(text) }
      const steps = await verifyDraw(asked(), answer, opened.ordered.receipt, known())
      expect(steps.map(({ id, state }) => `${id} ${state}`)).toEqual(['leaf failed'])
    }
  })
})

describe('an order that isn’t drawn', () => {
  const states = async (receipt: string, others: Partial<Proof> = {}, more: Evidence = {}) => {
    const of = { ...proof(), leaf: textOf(receipt), receipt, ...others }
    const steps = await verifyProof(of, { ...known(), shownCommitment: opened.ordered.commitment, ...more })
    return Object.fromEntries(steps.map(({ id }) => [id, stateOf(steps, id)]))
  }
  const voidText = async (reason: 'no-beacon' | 'lost') => {
    const leaf = textOf(opened.drawn.receipt)
    const line = (name: string) => new RegExp(`^${name} .*\n`, 'm').exec(leaf)![0]
    const head = leaf.slice(0, leaf.indexOf('serverSeed ')).replace('kaibao-open/v2', 'kaibao-void/v1')
    const seed = reason === 'lost' ? 'serverSeed -\n' : line('serverSeed')
    return `${head}${line('order')}${line('round')}reason ${reason}\n${seed}${line('time')}`
  }

  it('passes, and says that it is pending', async () => {
    const next = { nextCommitment: opened.ordered.next.commitment }
    expect(await states(opened.ordered.receipt, {}, next)).toEqual({
      announced: 'ok',
      round: 'ok',
      drawn: 'info: pending',
      manifest: 'ok',
      terms: 'ok',
      logKey: 'ok',
      receipt: 'ok',
      leaf: 'ok',
      inclusion: 'info: waiting',
      checkpoint: 'info: waiting',
      next: 'ok',
    })
  })

  it('fails with another round or price', async () => {
    for (const [line, changed, step] of [
      ['round 657413', 'round 657414', 'round'],
      ['price 2500', 'price 2600', 'terms'],
    ] as const) {
      const receipt = await server.signer.sign(textOf(opened.ordered.receipt).replace(line, changed))
      expect((await states(receipt))[step]).toBe('failed')
    }
  })

  it('shows its void, with the order that it belongs to', async () => {
    const receipt = await server.signer.sign(await voidText('no-beacon'))
    const order = { leaf: textOf(opened.ordered.receipt), receipt: opened.ordered.receipt }
    expect(await states(receipt, { order })).toMatchObject({
      commitment: 'ok',
      order: 'ok',
      orderReceipt: 'ok',
      drawn: 'info: voided',
      receipt: 'ok',
      leaf: 'ok',
    })
    const lost = await states(await server.signer.sign(await voidText('lost')))
    expect(lost).toMatchObject({ order: 'info: order', drawn: 'info: lost' })
    expect(lost).not.toHaveProperty('commitment')
  })

  it('fails with the void of another order', async () => {
    const other = (await server.open('another seed')).ordered.receipt
    const receipt = await server.signer.sign(await voidText('no-beacon'))
    expect((await states(receipt, { order: { leaf: textOf(other), receipt: other } })).order).toBe('failed')
  })
})
