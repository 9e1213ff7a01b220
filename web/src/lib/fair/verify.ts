import { type Bytes, fromHex, toHex } from './bytes'
import { type DrawInputs, type DrawnItem, draw, drawKey, drawTiers, type Roll } from './draw'
import { commitmentOf, sha256 } from './hash'
import { type OpenLeaf, parseOpenLeaf } from './leaf'
import { isFinite, type Manifest, ManifestError, parseManifest } from './manifest'
import { parseNote, parseVerifierKey, type Signed, verifyNote } from './note'
import type { Claim, Evidence, Fact, FactName, Step, StepId } from './report'

/** Checks an open from published bytes alone. Every step that fails is a lie or a bug of the server. */
export async function verifyOpening(claim: Claim, evidence: Evidence): Promise<Step[]> {
  const manifest = readManifest(evidence.manifest)
  const manifestHash = await sha256(evidence.manifest)
  return [
    ...(await receiptSteps(claim, evidence.logKey)),
    await commitmentStep(claim),
    announcedStep(claim, evidence.shownCommitment),
    manifestStep(claim, manifest, manifestHash),
    ...(manifest instanceof ManifestError
      ? []
      : [
          termsStep(claim, manifest),
          ...(await itemSteps(claim, manifest, manifestHash, evidence.stock)),
          totalStep(claim),
        ]),
  ]
}

/** The commitment of the user's next open, which a receipt announces; null when this key did not sign it. */
export async function announcedBy(receipt: string, logKey: string): Promise<string | null> {
  const { signed, leaf } = await readReceipt(receipt, logKey)
  return signed === 'valid' && leaf ? leaf.next : null
}

async function readReceipt(receipt: string, logKey: string): Promise<{ signed: Signed; leaf: OpenLeaf | null }> {
  const note = parseNote(receipt)
  const key = await parseVerifierKey(logKey.trim())
  return {
    signed: note && key ? await verifyNote(note, key) : 'absent',
    leaf: note && parseOpenLeaf(note.text),
  }
}

function readManifest(bytes: Bytes): Manifest | ManifestError {
  try {
    return parseManifest(bytes)
  } catch (error) {
    if (error instanceof ManifestError) return error
    throw error
  }
}

function compared(id: StepId, inputs: Fact[], expected: string, got: string): Step {
  return { id, state: expected === got ? 'ok' : 'failed', inputs, expected, got }
}

function fact(name: FactName, value: string | number | bigint): Fact {
  return { name, value: String(value) }
}

async function receiptSteps(claim: Claim, logKey: string): Promise<Step[]> {
  const { signed, leaf } = await readReceipt(claim.receipt, logKey)
  const state = { valid: 'ok', invalid: 'failed', absent: 'failed', unsupported: 'info' } as const
  const inputs = [fact('logKey', logKey.trim())]
  return [{ id: 'receipt', state: state[signed], inputs, expected: 'valid', got: signed }, leafStep(claim, leaf)]
}

function leafStep(claim: Claim, leaf: OpenLeaf | null): Step {
  const expected = claimedLines(claim)
  if (!leaf) return compared('leaf', [], expected.join('\n'), '')
  const got = leafLines(leaf)
  const differing = got.map((_, i) => i).filter((i) => got[i] !== expected[i])
  const shown = differing.length > 0 ? differing : got.map((_, i) => i)
  const pick = (lines: string[]) => shown.map((i) => lines[i]).join('\n')
  return compared('leaf', [fact('user', leaf.user), fact('time', leaf.time)], pick(expected), pick(got))
}

/** What the answer says, in the leaf's own words. */
function claimedLines(claim: Claim): string[] {
  return statement({
    id: claim.openId,
    nonce: claim.nonce,
    pack: claim.packId,
    manifest: claim.manifestHash,
    draw: claim.drawSeq,
    commitment: claim.commitment,
    serverSeed: claim.serverSeedRevealed,
    clientSeed: claim.clientSeed,
    items: claim.items.map(({ id, baseValueCents }) => `${id}:${baseValueCents}`).join(' '),
    price: claim.priceCents,
  })
}

function leafLines({ items, priceCents, ...leaf }: OpenLeaf): string[] {
  const drawn = items.map(({ id, valueCents }) => `${id}:${valueCents}`).join(' ')
  return statement({ ...leaf, items: drawn, price: priceCents })
}

const stated = [
  'id',
  'nonce',
  'pack',
  'manifest',
  'draw',
  'commitment',
  'serverSeed',
  'clientSeed',
  'items',
  'price',
] as const

function statement(fields: Record<(typeof stated)[number], string | number | bigint>): string[] {
  return stated.map((name) => `${name} ${fields[name]}`)
}

async function commitmentStep(claim: Claim): Promise<Step> {
  const seed = fromHex(claim.serverSeedRevealed, 32)
  const got = seed ? toHex(await commitmentOf(seed)) : ''
  return compared('commitment', [fact('serverSeed', claim.serverSeedRevealed)], claim.commitment, got)
}

function announcedStep(claim: Claim, shown: string | undefined): Step {
  if (shown !== undefined) return compared('announced', [], shown, claim.commitment)
  return { id: 'announced', state: 'info', inputs: [], expected: '', got: claim.commitment }
}

function manifestStep(claim: Claim, manifest: Manifest | ManifestError, hash: Bytes): Step {
  const step = compared('manifest', [], claim.manifestHash, toHex(hash))
  return manifest instanceof ManifestError ? { ...step, state: 'failed', got: manifest.message } : step
}

function termsStep(claim: Claim, manifest: Manifest): Step {
  const terms = (pack: string, price: number, items: number, finite: boolean) =>
    `pack ${pack}\nprice ${price}\nitems ${items}\n${finite ? 'finite' : 'unlimited'}`
  return compared(
    'terms',
    [],
    terms(manifest.pack, manifest.priceCents, manifest.items, isFinite(manifest)),
    terms(claim.packId, claim.priceCents, claim.items.length, claim.drawSeq > 0),
  )
}

async function itemSteps(
  claim: Claim,
  manifest: Manifest,
  manifestHash: Bytes,
  stock: ReadonlyMap<string, bigint> | undefined,
): Promise<Step[]> {
  const serverSeed = fromHex(claim.serverSeedRevealed, 32)
  if (!serverSeed || !Number.isSafeInteger(claim.nonce) || claim.nonce < 0) return []
  const inputs: DrawInputs = {
    manifest,
    manifestHash,
    serverSeed,
    clientSeed: claim.clientSeed,
    nonce: BigInt(claim.nonce),
    ...(stock && { stock }),
  }
  const origin = [
    fact('serverSeed', claim.serverSeedRevealed),
    fact('clientSeed', claim.clientSeed),
    fact('nonce', claim.nonce),
    fact('manifestHash', toHex(manifestHash)),
    fact('key', toHex(await drawKey(inputs))),
  ]
  if (claim.drawSeq > 0 && !stock) return tierSteps(claim, inputs, origin)
  const drawn = await draw(inputs)
  return Array.from({ length: manifest.items }, (_, item) => ({
    ...compared(
      'item',
      [...origin, ...(drawn?.[item] ? rolls(drawn[item], manifest) : [])],
      drawn?.[item] ? entry(drawn[item].card.id, drawn[item].card.valueCents) : '',
      claimed(claim, item),
    ),
    item,
  }))
}

/**
 * Items of a finite draw whose stock is not known: the tier roll is exact, and the card must be in
 * the manifest at its value; which of the tier's cards it is depends on what was left.
 */
async function tierSteps(claim: Claim, inputs: DrawInputs, origin: Fact[]): Promise<Step[]> {
  const { manifest } = inputs
  const cards = manifest.tiers.flatMap((tier) => tier.cards)
  return (await drawTiers(inputs)).map(({ tierRoll, tier }, item) => {
    const got = claimed(claim, item)
    const card = cards.find(({ id, valueCents }) => entry(id, valueCents) === got)
    return {
      id: 'item',
      item,
      state: card ? 'info' : 'failed',
      inputs: [...origin, ...tierFacts(tierRoll, tier, manifest)],
      expected: '',
      got,
    }
  })
}

function entry(id: string, valueCents: number): string {
  return `${id}:${valueCents}`
}

function claimed(claim: Claim, item: number): string {
  const at = claim.items[item]
  return at ? entry(at.id, at.baseValueCents) : ''
}

function rolls(drawn: DrawnItem, manifest: Manifest): Fact[] {
  const from = manifest.tiers.findIndex((tier) => tier.cards.includes(drawn.card))
  const fellTo = from === drawn.tier ? [] : [fact('fellTo', manifest.tiers[from]!.label)]
  const cardRoll = fact('cardRoll', rollText(drawn.cardRoll))
  return [...tierFacts(drawn.tierRoll, drawn.tier, manifest), ...fellTo, cardRoll]
}

function tierFacts(roll: Roll, tier: number, manifest: Manifest): Fact[] {
  const rejected = roll.counter > 0 ? [fact('rejected', roll.counter)] : []
  return [fact('tierRoll', rollText(roll)), ...rejected, fact('tier', manifest.tiers[tier]!.label)]
}

/** "468 / 1009": the roll, and how many sides the die had. */
function rollText({ value, sides }: Roll): string {
  return `${value} / ${sides}`
}

function totalStep(claim: Claim): Step {
  const values = claim.items.map(({ baseValueCents }) => baseValueCents)
  const sum = values.reduce((total, value) => total + value, 0)
  return compared('total', [fact('values', values.join(' + '))], String(sum), String(claim.totalValueCents))
}
