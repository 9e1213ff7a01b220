import { beforeAll, describe, expect, it } from 'vitest'
import { toBase64, toHex, utf8 } from './bytes'
import { honestOpen, logged, newSigner, type HonestOpen, type LogSigner } from '@test/fixtures/protocol'
import { leafHash, nodeHash } from './merkle'
import { type ReplacedKey, signerOf, trustedKeys } from './replaced-keys'
import { type Proof, verdict } from './report'
import { verifyProof } from './verify'

const at = '2026-01-02T03:04:05.678Z'
let [first, second, third]: LogSigner[] = []
let replaced: ReplacedKey[] = []

const hash = (text: string) => leafHash(utf8(text))
const endLeaf = (name: string, next: LogSigner) =>
  `kaibao-end/v1\norigin ${name}\nkey ${next.verifierKey}\ntime ${at}\n`

/** The proof that a log of two leaves ended for the next one, which has two leaves too. */
async function replacement(
  [name, key]: [string, LogSigner],
  [nextName, nextKey]: [string, LogSigner],
  leaf = endLeaf(nextName, nextKey),
): Promise<ReplacedKey> {
  const before = await hash('an open')
  const root = await nodeHash(before, await hash(leaf))
  const begin = `kaibao-epoch/v1\norigin ${name}\nsize 2\nroot ${toHex(root)}\ntime ${at}\n`
  const after = await hash('another open')
  const nextRoot = await nodeHash(await hash(begin), after)
  return {
    key: key.verifierKey,
    nextKey: nextKey.verifierKey,
    end: {
      leaf,
      index: 1,
      inclusionProof: [toBase64(before)],
      checkpoint: await key.sign(`${name}\n2\n${toBase64(root)}\n`),
    },
    begin: {
      leaf: begin,
      index: 0,
      inclusionProof: [toBase64(after)],
      checkpoint: await nextKey.sign(`${nextName}\n2\n${toBase64(nextRoot)}\n`),
    },
  }
}

beforeAll(async () => {
  ;[first, second, third] = await Promise.all(['log/1', 'log/2', 'log/3'].map(newSigner))
  replaced = [
    await replacement(['log/2', second!], ['log/3', third!]),
    await replacement(['log/1', first!], ['log/2', second!]),
  ]
})

describe('trusted keys', () => {
  it('are the published one and those that led to it', async () => {
    expect(await trustedKeys(third!.verifierKey, replaced)).toEqual(
      [third, second, first].map((signer) => signer!.verifierKey),
    )
    expect(await trustedKeys(third!.verifierKey, [])).toEqual([third!.verifierKey])
  })

  it.each<[string, (entry: ReplacedKey) => ReplacedKey | Promise<ReplacedKey>]>([
    ['the end names another key', () => replacement(['log/2', second!], ['log/3', third!], endLeaf('log/3', first!))],
    ['the end names another log', () => replacement(['log/2', second!], ['log/3', third!], endLeaf('log/4', third!))],
    ['the last leaf is no end', () => replacement(['log/2', second!], ['log/3', third!], 'an open')],
    ['the end is not the last leaf', (entry) => ({ ...entry, end: { ...entry.end, index: 0 } })],
    ['the end is not in the log', (entry) => ({ ...entry, end: { ...entry.end, inclusionProof: [] } })],
    [
      'the ended log is signed by the next key',
      async (entry) => ({
        ...entry,
        end: { ...entry.end, checkpoint: await third!.sign(textOf(entry.end.checkpoint)) },
      }),
    ],
    [
      'the next log is signed by the ended key',
      async (entry) => ({
        ...entry,
        begin: { ...entry.begin, checkpoint: await second!.sign(textOf(entry.begin.checkpoint)) },
      }),
    ],
    ['the next log begins with another leaf', (entry) => ({ ...entry, begin: { ...entry.begin, leaf: 'an open' } })],
    [
      'the next log continues another tree',
      async (entry) => ({ ...entry, begin: (await replacement(['log/1', first!], ['log/3', third!])).begin }),
    ],
    ['the key is another one', (entry) => ({ ...entry, key: first!.verifierKey })],
  ])('don’t include one if %s', async (_, falsify) => {
    const entry = await falsify(replaced[0]!)
    expect(await trustedKeys(third!.verifierKey, [entry, replaced[1]!])).toEqual([third!.verifierKey])
  })

  it('are found by the name that signed a note', async () => {
    const trusted = await trustedKeys(third!.verifierKey, replaced)
    expect(await signerOf(await first!.sign('text\n'), trusted)).toBe(first!.verifierKey)
    expect(await signerOf('no note', trusted)).toBe(third!.verifierKey)
  })

  it('are found under the other names that restores gave them, but no other key is', async () => {
    const trusted = await trustedKeys(third!.verifierKey, replaced)
    const renamed = await first!.renamed('log/restored')
    expect(await signerOf(await renamed.sign('text\n'), trusted)).toBe(renamed.verifierKey)
    const other = await newSigner('log/restored')
    expect(await signerOf(await other.sign('text\n'), trusted)).toBe(third!.verifierKey)
  })
})

describe('a proof from before the key was replaced', () => {
  let honest: HonestOpen
  let entry: ReplacedKey

  beforeAll(async () => {
    honest = await honestOpen()
    entry = await replacement(['kaibao.test/log', honest.signer], ['log/3', third!])
  })

  const steps = (change: object, keys: ReplacedKey[]) =>
    verifyProof(
      { ...honest.proof, ...change },
      { ...honest.evidence, publishedKey: third!.verifierKey, replacedKeys: keys },
    )

  it('passes if its key led to the published one', async () => {
    expect(verdict(await steps({}, [entry]))).toBe('ok')
    expect((await steps({}, [])).filter(({ state }) => state === 'failed').map(({ id }) => id)).toEqual(['logKey'])
  })

  it('announces the next commitment, which a new key doesn’t replace, but a restore does', async () => {
    const stateOf = async (publishedKey: string, replacedKeys: ReplacedKey[] = []) => {
      const nextCommitment = 'cd'.repeat(32)
      const found = await verifyProof(honest.proof, { ...honest.evidence, publishedKey, replacedKeys, nextCommitment })
      return found.find(({ id }) => id === 'next')?.state
    }
    expect(await stateOf(third!.verifierKey, [entry])).toBe('failed')
    expect(await stateOf((await honest.signer.renamed('kaibao.test/log/restored')).verifierKey)).toBe('info')
  })

  it('has no receipt once the key is gone, but a checkpoint', async () => {
    const gone = await steps({ receipt: '' }, [entry])
    expect(gone.filter(({ note }) => note === 'replacedKey').map(({ id }) => id)).toEqual(['receipt', 'leaf'])
    expect(verdict(gone)).toBe('info')
    const waiting = await steps({ receipt: '', index: null, inclusionProof: null, checkpoint: null }, [entry])
    expect(verdict(waiting)).toBe('failed')
    const { leaf } = await logged('another leaf', honest.signer)
    expect(verdict(await steps({ receipt: '', leaf }, [entry]))).toBe('failed')
  })

  it('passes after a restore, which only renames the key', async () => {
    const { verifierKey: publishedKey } = await honest.signer.renamed('kaibao.test/log/restored')
    const restored = await verifyProof(honest.proof, { ...honest.evidence, publishedKey })
    expect(verdict(restored)).toBe('ok')
  })

  it('passes after a restore with only its receipt', async () => {
    const { verifierKey: publishedKey } = await honest.signer.renamed('kaibao.test/log/restored')
    const alone = { ...honest.proof, logKey: null, index: null, inclusionProof: null, checkpoint: null }
    const stateOf = async (proof: Proof) =>
      (await verifyProof(proof, { ...honest.evidence, publishedKey })).find(({ id }) => id === 'receipt')?.state
    expect(await stateOf(alone)).toBe('ok')
    const forged = await newSigner()
    expect(await stateOf({ ...alone, receipt: await forged.sign(alone.leaf) })).toBe('failed')
  })

  it('may have a receipt from before the restore, if its leaf was placed only after it', async () => {
    const restored = await honest.signer.renamed('kaibao.test/log/restored')
    const placed = {
      ...honest.proof,
      logKey: restored.verifierKey,
      index: null,
      inclusionProof: null,
      checkpoint: null,
    }
    const found = await verifyProof(placed, { ...honest.evidence, publishedKey: restored.verifierKey })
    expect(found.find(({ id }) => id === 'receipt')?.state).toBe('ok')
  })
})

const textOf = (note: string) => note.slice(0, note.indexOf('\n\n') + 1)
