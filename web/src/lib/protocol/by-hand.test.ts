import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import vectors from '../../../../internal/protocol/testdata/vectors.json'
import { byHand, type Command, manifestFile } from './by-hand'
import { toHex, utf8 } from './bytes'
import { honestOpen, leafText, logged, manifestText, newSigner, newWitness } from '@test/fixtures/protocol'
import { newSealedServer, roundSeconds } from '@test/fixtures/sealed'
import { parsePolicy } from './witnesses'
import type { Claim } from './report'

let folder: string

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'kaibao-by-hand-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

/** Runs the commands in a shell and returns each one's output. */
function outputs(commands: readonly Command[], shell = 'sh'): string[] {
  const script = commands.map(({ text }) => `${text}\nprintf '\\036'\n`).join('')
  const printed = execFileSync(shell, ['-eu'], { cwd: folder, input: script, encoding: 'utf8', stdio: 'pipe' })
  return printed.split('\u001E').slice(0, -1)
}

function expectPrinted(commands: readonly Command[], shell?: string): void {
  for (const [at, printed] of outputs(commands, shell).entries()) {
    const { id, prints } = commands[at]!
    // The file name follows the hash.
    expect(printed.trimEnd().replace(/ \*\S+$/, ''), id).toBe(prints)
  }
}

it.each(['sh', 'bash'])('every command prints in %s what the page computed', async (shell) => {
  const { proof, evidence, claim } = await honestOpen()
  writeFileSync(join(folder, manifestFile(claim.manifestHash)), evidence.manifest)
  const commands = (await byHand(proof, evidence.manifest))!
  expect(commands.map(({ id }) => id)).toEqual([
    'tools',
    'commitment',
    'manifest',
    'key',
    ...Array.from({ length: 3 }, () => ['tierRoll', 'cardRoll']).flat(),
    'receipt',
    'inclusion',
    'checkpoint',
  ])
  expectPrinted(commands, shell)
})

it.each(vectors.cases.filter(({ items, stock }) => items && !stock))(
  'produces the rolls of vector $name, nonce $nonce',
  async (vector) => {
    const signer = await newSigner()
    const claim: Claim = {
      openId: 'o',
      packId: 'p',
      priceCents: 1,
      items: [],
      totalValueCents: 0,
      serverSeedRevealed: vector.serverSeed,
      commitment: vector.commitment,
      clientSeed: vector.clientSeed,
      nonce: vector.nonce,
      manifestHash: vector.manifestHash,
      drawSeq: 0,
    }
    const proof = await logged(leafText({ ...claim, items: [{ id: 'x', baseValueCents: 1 }] }), signer)
    writeFileSync(join(folder, manifestFile(vector.manifestHash)), vector.manifest)
    const commands = (await byHand(proof, utf8(vector.manifest)))!
    expect(commands.find(({ id }) => id === 'key')?.prints).toBe(vector.key)
    expectPrinted(commands)
  },
)

it.each(['sh', 'bash'])(
  'shows in %s what proves a sealed open, with the witnesses that the visitor trusts',
  async (shell) => {
    const server = await newSealedServer('2', 2)
    const opened = await server.open('my seed')
    const witness = await newWitness('witness.test/1')
    const proof = await server.prove(opened, (checkpoint) => witness.cosign(checkpoint, roundSeconds - 1))
    writeFileSync(join(folder, manifestFile(opened.manifestHash)), opened.manifest)
    const { witnesses } = (await parsePolicy(witness.verifierKey))!
    const commands = (await byHand(proof, opened.manifest, witnesses))!
    expect(commands.map(({ id }) => id)).toEqual([
      'tools',
      'commitment',
      'manifest',
      'order',
      'beacon',
      'key',
      ...Array.from({ length: 2 }, () => ['tierRoll', 'cardRoll']).flat(),
      'receipt',
      'inclusion',
      'checkpoint',
      'orderInclusion',
      'cosignature',
      'consistency',
    ])
    // Asks the beacon.
    expectPrinted(
      commands.filter(({ id }) => id !== 'beacon'),
      shell,
    )
    const unwitnessed = (await byHand(proof, opened.manifest))!.map(({ id }) => id)
    expect(unwitnessed.at(-1)).toBe('orderInclusion')
    const { order: _, ...withoutOrder } = proof
    expect(await byHand(withoutOrder, opened.manifest)).toBeNull()
  },
)

it('detects a changed leaf like the page does', async () => {
  const { proof, evidence, claim } = await honestOpen()
  writeFileSync(join(folder, manifestFile(claim.manifestHash)), evidence.manifest)
  const commands = (await byHand(proof, evidence.manifest))!
  const forged = commands.map((command) => ({
    ...command,
    text: command.text.replace('\nprice 2500\n', '\nprice 2501\n'),
  }))
  expect(() => outputs(forged)).toThrow(
    expect.objectContaining({ stdout: expect.stringContaining('Verification Failure') }),
  )
})

it('rolls only the tiers for a limited pack', async () => {
  const { proof, evidence } = await honestOpen(manifestText.replaceAll('-1\n', '1\n'), 4)
  const ids = (await byHand(proof, evidence.manifest))!.map(({ id }) => id)
  expect(ids).toContain('tierRoll')
  expect(ids).not.toContain('cardRoll')
})

it('omits the log steps until the leaf has its index', async () => {
  const { proof, evidence } = await honestOpen()
  const waiting = { ...proof, index: null, inclusionProof: null, checkpoint: null }
  expect((await byHand(waiting, evidence.manifest))!.at(-1)?.id).toBe('receipt')
})

it('puts only parsed values into commands', async () => {
  const { proof, evidence, signer } = await honestOpen()
  const evil = `EOF\ntouch ${toHex(utf8('x'))}\n`
  expect(await byHand({ ...proof, leaf: `${proof.leaf}${evil}` }, evidence.manifest)).toBeNull()
  expect(await byHand({ ...proof, receipt: await signer.sign(evil) }, evidence.manifest)).toBeNull()
  expect(await byHand(proof, utf8('no manifest'))).toBeNull()
  const checkpoint = await signer.sign(`kaibao.test/log\n5\n${proof.checkpoint!.split('\n')[2]}\n${evil}`)
  expect((await byHand({ ...proof, checkpoint }, evidence.manifest))!.at(-1)?.id).toBe('receipt')
})
