import { beforeAll, describe, expect, it } from 'vitest'
import { logged, newSigner, newWitness, type Witness } from '@test/fixtures/protocol'
import { newSealedServer, roundSeconds, type SealedOpen, type SealedServer } from '@test/fixtures/sealed'
import { fromBase64, fromUtf8, toBase64, utf8 } from './bytes'
import { parseNote } from './note'
import type { Proof, Step } from './report'
import { verifyProof } from './verify'
import { fixedSeconds } from './verify-fixed'
import { parsePolicy } from './witnesses'

let server: SealedServer
let opened: SealedOpen
let witnesses: Witness[]

beforeAll(async () => {
  server = await newSealedServer('2', 1)
  opened = await server.open('my seed')
  witnesses = await Promise.all(['a.test', 'b.test', 'c.test'].map((name) => newWitness(name)))
})

/** Cosigns with the first witnesses, each at its time in seconds before the round. */
const cosigned =
  (...times: number[]) =>
  async (checkpoint: string) => {
    let text = checkpoint
    for (const [n, before] of times.entries()) text = await witnesses[n]!.cosign(text, roundSeconds - before)
    return text
  }

const trust = (count: number, quorum = count) =>
  parsePolicy([...witnesses.slice(0, count).map((w) => w.verifierKey), `quorum ${quorum}`].join('\n'))

async function fixed(proof: Proof, policy = trust(2), manifest: Uint8Array<ArrayBuffer> | null = opened.manifest) {
  const trusted = await policy
  const steps = await verifyProof(proof, {
    publishedKey: server.signer.verifierKey,
    ...(manifest && { manifest }),
    ...(trusted && { witnesses: trusted }),
  })
  return steps.find(({ id }) => id === 'fixed')!
}

const summary = ({ state, note }: Step) => (note ? `${state}: ${note}` : state)

const facts = ({ inputs }: Step, name: string) => inputs.filter((one) => one.name === name).map(({ value }) => value)

describe('an order is fixed', () => {
  it('if enough trusted witnesses cosigned a tree with it before its round', async () => {
    const step = await fixed(await server.prove(opened, cosigned(1, 2)))
    expect(summary(step)).toBe('ok')
    expect(facts(step, 'witness')).toEqual([
      `a.test ${new Date((roundSeconds - 1) * 1000).toISOString()}`,
      `b.test ${new Date((roundSeconds - 2) * 1000).toISOString()}`,
    ])
  })

  it('whatever other witnesses signed', async () => {
    const step = await fixed(await server.prove(opened, cosigned(1, 2, -5)))
    expect(summary(step)).toBe('ok')
    expect(facts(step, 'operatorWitness')).toEqual([witnesses[2]!.verifierKey.split('+').slice(0, 2).join('+')])
  })

  it('with a quorum of the trusted ones', async () => {
    const proof = await server.prove(opened, cosigned(1, 2))
    expect(summary(await fixed(proof, trust(3, 2)))).toBe('ok')
    expect(summary(await fixed(proof, trust(3)))).toBe('info: unproven')
  })
})

describe('it stays open', () => {
  it.each([
    ['at the second of the round', () => cosigned(1, 0)],
    ['after it', () => cosigned(1, -1)],
    ['without a time', () => cosigned(1, roundSeconds)],
    ['by too few', () => cosigned(1)],
    ['by one twice', () => async (text: string) => witnesses[0]!.cosign(await cosigned(1)(text), roundSeconds - 2)],
  ])('if witnesses signed %s', async (_, cosign) => {
    expect(summary(await fixed(await server.prove(opened, cosign())))).toBe('info: unproven')
  })

  it('if the tree that they signed didn’t have it', async () => {
    expect(summary(await fixed(await server.prove(opened, cosigned(1, 2), 1)))).toBe('info: unproven')
  })

  it('while the visitor trusts none, and names those of the operator', async () => {
    const step = await fixed(await server.prove(opened, cosigned(1, 2)), Promise.resolve(null))
    expect(summary(step)).toBe('info: operatorWitnesses')
    expect(facts(step, 'operatorWitness')).toHaveLength(2)
  })

  it('if no witness had signed any tree', async () => {
    expect(summary(await fixed(await server.prove(opened, () => Promise.resolve(''))))).toBe('info: unwitnessed')
  })

  it('without the parts that prove it', async () => {
    const proof = await server.prove(opened, cosigned(1, 2))
    const { round: _, ...noRound } = proof
    const { order, ...noOrder } = proof
    expect(summary(await fixed(noRound))).toBe('info: roundLeaf')
    expect(summary(await fixed(noOrder))).toBe('info: roundLeaf')
    expect(summary(await fixed({ ...proof, order: { leaf: order!.leaf } }))).toBe('info: roundLeaf')
    expect(summary(await fixed(proof, trust(2), null))).toBe('info: roundTime')
    const waiting = { ...proof, index: null, inclusionProof: null, checkpoint: null }
    expect(summary(await fixed(waiting))).toBe('info: waiting')
    expect(summary(await fixed({ ...waiting, logKey: null }))).toBe('info: receiptOnly')
    expect(summary(await fixed({ ...proof, index: 3 }))).toBe('info: unprovenOpen')
  })

  it('if it was copied from a log that ended, whose checkpoint the round has, too', async () => {
    const ended = toBase64(utf8(await (await newSigner('kaibao.test/old')).sign('kaibao.test/old\n1\nAAAA\n')))
    const copied = async (cosign: (text: string) => Promise<string>, size?: number) =>
      summary(await fixed(await server.prove(opened, cosign, size, ended)))
    expect(await copied(() => Promise.resolve(''))).toBe('info: endedLog')
    expect(await copied(cosigned(1, 2), 1)).toBe('info: endedLog')
    expect(await copied(cosigned(1))).toBe('info: endedLog')
    expect(await copied(cosigned(1, 2))).toBe('ok')
  })

  it('if it was fixed in a log that ended', async () => {
    const ended = await newSigner('kaibao.test/old')
    const proof = await server.prove(opened, (text) =>
      ended.sign(text.slice(0, text.indexOf('\n\n') + 1).replace('/log', '/old')),
    )
    expect(summary(await fixed(proof))).toBe('info: endedLog')
  })
})

describe('it fails', () => {
  const changed = async (change: (proof: Proof) => Proof) => fixed(change(await server.prove(opened, cosigned(1, 2))))

  it('with a wrong cosignature of a trusted witness', async () => {
    const forged = await server.prove(opened, async (text) => {
      const [head, line = ''] = (await cosigned(1)(text)).split(/(?<=\n)(?=— a\.test )/)
      const [dash, name, encoded = ''] = line.trim().split(' ')
      const bytes = fromBase64(encoded)!
      bytes[20]! ^= 1
      return `${head}${dash} ${name} ${toBase64(bytes)}\n`
    })
    expect(summary(await fixed(forged))).toBe('failed')
  })

  it('with a checkpoint that the log’s key didn’t sign', async () => {
    const other = await newSigner('kaibao.test/log')
    const proof = await server.prove(opened, (text) => other.sign(text.slice(0, text.indexOf('\n\n') + 1)))
    expect(summary(await fixed(proof))).toBe('failed')
  })

  it('if the log doesn’t continue the tree that they signed', async () => {
    const proof = await server.prove(opened, async (text) => {
      const [origin, size] = text.split('\n')
      return cosigned(1, 2)(await server.signer.sign(`${origin}\n${size}\n${toBase64(new Uint8Array(32))}\n`))
    })
    expect(summary(await fixed(proof))).toBe('failed')
    expect(summary(await changed((honest) => ({ ...honest, consistency: null })))).toBe('failed')
    expect(summary(await changed((honest) => ({ ...honest, consistency: ['AA=='] })))).toBe('failed')
  })

  it('if the order or the round isn’t in the log', async () => {
    expect(summary(await changed((proof) => ({ ...proof, order: { ...proof.order!, index: 2 } })))).toBe('failed')
    expect(summary(await changed((proof) => ({ ...proof, round: { ...proof.round!, index: 2 } })))).toBe('failed')
  })

  it('with another round, or another order', async () => {
    const leaf = (text: string) => text.replace('round 657413', 'round 657412')
    expect(
      summary(await changed((proof) => ({ ...proof, round: { ...proof.round!, leaf: leaf(proof.round!.leaf) } }))),
    ).toBe('failed')
    expect(
      summary(await changed((proof) => ({ ...proof, order: { ...proof.order!, leaf: `${proof.order!.leaf} ` } }))),
    ).toBe('failed')
  })
})

describe('the seconds before its round', () => {
  const known = () => ({ manifest: opened.manifest, publishedKey: server.signer.verifierKey, replacedKeys: [] })
  const pending = async (cosign: (text: string) => Promise<string>, signer = server.signer) => {
    const proof = await logged(parseNote(opened.ordered.receipt)!.text, signer)
    return { ...proof, checkpoint: await cosign(proof.checkpoint!) }
  }
  const seconds = async (proof: Proof, receipt = opened.ordered.receipt, data = known()) =>
    fixedSeconds(receipt, proof, data, (await trust(2))!)

  it('are whole ones that have passed since a quorum cosigned', async () => {
    expect(await seconds(await pending(cosigned(4, 2)))).toBe(1)
    expect(await seconds(await pending(cosigned(1, 1)))).toBe(0)
    expect(await seconds(await pending(cosigned(1, 0)))).toBeNull()
    expect(await seconds(await pending(cosigned(1)))).toBeNull()
  })

  it('are also in the proof of the draw', async () => {
    const proof = await server.prove(opened, cosigned(1, 2))
    expect(await seconds({ ...proof, checkpoint: await cosigned(3, 3)(proof.checkpoint!) })).toBe(2)
  })

  it('are shown when a restore gave the log another name meanwhile', async () => {
    const { verifierKey: publishedKey } = await server.signer.renamed('kaibao.test/log/0123456789abcdef')
    const proof = await pending(cosigned(2, 2))
    expect(await seconds(proof, opened.ordered.receipt, { ...known(), publishedKey })).toBe(1)
  })

  it('are unknown of another order, log or manifest, or without a place in the log', async () => {
    const proof = await pending(cosigned(2, 2))
    expect(await seconds(proof, (await server.open('other seed')).ordered.receipt)).toBeNull()
    expect(await seconds(await pending(cosigned(2, 2), await newSigner()))).toBeNull()
    expect(await seconds({ ...proof, index: 1 })).toBeNull()
    expect(await seconds({ ...proof, index: null, inclusionProof: null, checkpoint: null })).toBeNull()
    const manifest = utf8(fromUtf8(opened.manifest)!.replace('lead 3', 'lead 2'))
    expect(await seconds(proof, opened.ordered.receipt, { ...known(), manifest })).toBeNull()
  })
})

describe('the witnesses that a visitor trusts', () => {
  const parsed = async (...lines: string[]) => (await parsePolicy(lines.join('\n')))?.quorum ?? null

  it('are verifier keys, all of which are needed unless a line says how many', async () => {
    const [a, b] = witnesses.map(({ verifierKey }) => verifierKey)
    expect(await parsed(a!, b!)).toBe(2)
    expect(await parsed('quorum 1', `witness ${a}`, '', ` ${b} `)).toBe(1)
  })

  it('are distinct witnesses and a possible quorum', async () => {
    const [a, b] = witnesses.map(({ verifierKey }) => verifierKey)
    for (const lines of [[], [a!, a!], [a!, b!, 'quorum 3'], [a!, 'quorum 0'], [a!, 'quorum 1', 'quorum 1'], ['x']])
      expect(await parsed(...lines)).toBeNull()
    expect(await parsed(server.signer.verifierKey)).toBeNull()
  })
})
