import { act, fireEvent, screen } from '@testing-library/react'
import confetti from 'canvas-confetti'
import { beforeAll, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { sealed as texts } from '@/components/sealed/texts/en'
import type { Pack } from '@/contract/types'
import { orderReceipt } from '@/lib/order-receipts'
import { dismissToast } from '@/lib/toast'
import { advanceTime, refusal, showDialog } from '@test/fixtures/opening'
import { parseNote } from '@/lib/protocol/note'
import { quicknet } from '@/lib/protocol/beacon'
import type { Proof } from '@/lib/protocol/report'
import { saveTrustedWitnesses } from '@/lib/trusted-witnesses'
import { logged, newWitness, type Witness } from '@test/fixtures/protocol'
import { newSealedServer, roundSeconds, type SealedOpen, type SealedServer } from '@test/fixtures/sealed'
import { type Answers, stubApi } from '@test/stub-api'
import { openingTexts } from './texts'
import { opening as t } from './texts/en'

const open = 'POST /api/packs/2/open'
const witnessesCall = 'GET /log/witnesses' as never
const firstSeed = 'f0'.repeat(32)
let server: SealedServer
let one: SealedOpen
let answers: Answers
let calls: Request[]

beforeAll(async () => {
  // Preloaded, because fake timers don't advance imports.
  await Promise.all([
    import('@/components/ui/dialog-parts'),
    import('@/lib/protocol/verify-open'),
    import('@/lib/protocol/cosignature'),
    import('@/lib/protocol/verify-fixed'),
    import('@/lib/protocol/witnesses'),
    import('@noble/curves/bls12-381.js'),
    openingTexts.load(),
  ])
  server = await newSealedServer()
  one = await server.open(firstSeed)
})

beforeEach(() => {
  vi.useFakeTimers()
  dismissToast()
  vi.spyOn(confetti, 'create').mockReturnValue(Object.assign(vi.fn(), { reset: vi.fn() }))
  answers = {
    'GET /api/fairness/commitment': { body: { commitment: one.ordered.commitment, nonce: 12, userTag: '00' } },
    [open]: { body: one.ordered },
    'GET /api/opens': { body: [] },
    [`GET /api/opens/${one.ordered.openId}` as never]: { body: one.drawn },
    [`GET /api/fairness/manifests/${one.manifestHash}`]: () => new Response(one.manifest),
    [`GET /api/fairness/beacons/${one.ordered.order!.beacon}` as never]: refusal(404, 'not_found'),
    ['GET /log/key' as never]: () => new Response(server.signer.verifierKey),
  }
  calls = stubApi(answers)
  vi.spyOn(crypto, 'getRandomValues').mockImplementationOnce((bytes) => (bytes as Uint8Array).fill(0xf0) as never)
  return () => vi.useRealTimers()
})

const show = (sealed: Pack['sealed'] = { required: true, leadSeconds: 3 }) =>
  showDialog(12_550, { manifestHash: one.manifestHash, ...(sealed && { sealed }) })
const start = () => fireEvent.click(screen.getByRole('button', { name: /^Start for 25 Play Points/ }))
const press = (key: string) => fireEvent.keyDown(document.activeElement ?? document.body, { key })
const bodies = () => Promise.all(calls.filter(({ url }) => url.endsWith('/open')).map((call) => call.clone().json()))
const results = () => screen.queryByRole('heading', { name: t.results.heading })
const toastText = () => screen.queryByTestId('toast')?.textContent
const roundText = '657,413'

/** Advances the time until a text is shown. Lets signatures be checked in the meantime, which fake timers don't advance. */
async function advanceUntil(text: string, mostMs: number): Promise<void> {
  for (let ms = 0; ms < mostMs && !screen.queryByText(text); ms += 50) {
    await advanceTime(50)
    await act(() => crypto.subtle.digest('SHA-256', new Uint8Array()))
  }
}

describe('a sealed pack', () => {
  it('says in the intro what sealed means', async () => {
    await show()
    expect(screen.getByText(texts.promise(3))).toBeVisible()
    expect(screen.queryByText(t.intro.locked)).toBeNull()
    expect(screen.getByText(texts.steps.order)).not.toBeVisible()
  })

  it('says that nobody knows the result only if the log has witnesses', async () => {
    answers[witnessesCall] = () => new Response('')
    await show()
    expect(screen.getByText(texts.unwitnessedPromise(3))).toBeVisible()
  })

  it('says that nobody knows the result if the log has witnesses', async () => {
    const { verifierKey } = await newWitness()
    answers[witnessesCall] = () => new Response(`quorum 1\nwitness ${verifierKey}\n`)
    await show()
    expect(screen.getByText(texts.witnessedPromise(3))).toBeVisible()
    expect(screen.getByText(texts.steps.witnessedOrder)).toBeInTheDocument()
  })

  it('is ordered, counts down to its round, and is revealed after the draw', async () => {
    await show()
    start()
    await advanceTime(700)
    expect(await bodies()).toEqual([expect.objectContaining({ sealed: true, clientSeed: firstSeed })])
    expect(screen.getByText(t.sealed.waiting(roundText))).toBeVisible()
    expect(screen.getByText(t.sealed.ordered(1))).toBeVisible()
    expect(orderReceipt(one.ordered.openId)).toBe(one.ordered.receipt)
    await advanceTime(3200)
    expect(screen.getByText(t.sealed.publishing(roundText), { selector: 'p:not([role])' })).toBeVisible()
    await advanceTime(900)
    expect(results()).toBeNull()
    await advanceTime(6000)
    expect(results()).toBeVisible()
    expect(screen.getByText('keep Card 12-1')).toBeVisible()
    expect(toastText()).toContain(t.toast.opened)
  })

  describe('with witnesses that the visitor trusts', () => {
    const proofCall = 'GET /api/fairness/opens/open-12'
    let witness: Witness
    let proof: Proof
    let checkpoint: string | null

    beforeEach(async () => {
      witness = await newWitness()
      saveTrustedWitnesses(witness.verifierKey)
      onTestFinished(() => saveTrustedWitnesses(''))
      answers[`GET /api/fairness/beacons/${one.ordered.order!.beacon}` as never] = { body: quicknet } as never
      proof = await logged(parseNote(one.ordered.receipt)!.text, server.signer)
      ;({ checkpoint } = proof)
      answers[proofCall] = () => Response.json({ openId: one.ordered.openId, ...proof, checkpoint })
    })

    it('shows how long before its round it was fixed, as soon as they have cosigned', async () => {
      await show()
      start()
      await advanceTime(700)
      expect(screen.queryByText(t.sealed.fixed(1, 1))).toBeNull()
      checkpoint = await witness.cosign(proof.checkpoint!, roundSeconds - 2)
      await advanceUntil(t.sealed.fixed(1, 1), 2400)
      expect(screen.getByText(t.sealed.fixed(1, 1))).toBeVisible()
      await advanceTime(8000)
      expect(results()).toBeVisible()
    })

    it('shows it with the witnesses that the operator chose if the visitor trusts none', async () => {
      saveTrustedWitnesses('')
      answers[witnessesCall] = () => new Response(`quorum 1\nwitness ${witness.verifierKey}\n`)
      checkpoint = await witness.cosign(proof.checkpoint!, roundSeconds - 2)
      await show()
      start()
      await advanceUntil(t.sealed.fixed(1, 1), 2400)
      expect(screen.getByText(t.sealed.fixed(1, 1))).toBeVisible()
    })

    it('says nothing of cosignatures that came too late or are wrong', async () => {
      checkpoint = await witness.cosign(proof.checkpoint!, roundSeconds)
      await show()
      start()
      await advanceTime(700)
      await advanceUntil(t.sealed.fixed(1, 0), 1000)
      checkpoint = await (await newWitness()).cosign(proof.checkpoint!, roundSeconds - 2)
      await advanceUntil(t.sealed.fixed(1, 1), 1000)
      expect(screen.getByText(t.sealed.ordered(1))).toBeVisible()
      for (const seconds of [0, 1, 2]) expect(screen.queryByText(t.sealed.fixed(1, seconds))).toBeNull()
    })

    it('is revealed without waiting for them', async () => {
      answers[proofCall] = () => new Promise<Response>(() => {})
      await show()
      start()
      await advanceTime(10_800)
      expect(results()).toBeVisible()
    })
  })

  it('can be skipped up to its draw', async () => {
    await show()
    start()
    await advanceTime(700)
    press('Escape')
    await advanceTime(50)
    expect(screen.queryByRole('button', { name: t.skip })).toBeNull()
    expect(screen.getByRole('dialog')).toBeVisible()
    press('Escape')
    await advanceTime(50)
    expect(screen.queryByRole('dialog')).toBeNull()
    expect(toastText()).toContain(t.toast.ordered)
  })

  it('is drawn after its dialog was closed', async () => {
    await show()
    start()
    await advanceTime(700)
    fireEvent.click(screen.getByRole('button', { name: 'Close' }))
    await advanceTime(50)
    expect(toastText()).toContain(t.toast.orderedText)
    await advanceTime(5000)
    expect(toastText()).toContain(t.toast.opened)
  })

  it('says that the order is safe while the beacon is late', async () => {
    answers[`GET /api/opens/${one.ordered.openId}` as never] = { body: one.ordered } as never
    await show()
    start()
    await advanceTime(9000)
    expect(screen.getByText(t.sealed.late(1))).toBeVisible()
    fireEvent.click(screen.getByText(t.sealed.close))
    await advanceTime(50)
    expect(screen.queryByRole('dialog')).toBeNull()
  })

  it('says that the price of a voided order is back', async () => {
    const order = { ...one.ordered.order!, voidReason: 'no-beacon' as const }
    answers[`GET /api/opens/${one.ordered.openId}` as never] = {
      body: { ...one.ordered, state: 'void', order },
    } as never
    await show()
    start()
    await advanceTime(6000)
    expect(screen.getByText(t.sealed.voided(1, '25'))).toBeVisible()
  })

  it('reports an instant answer as a fault', async () => {
    const { order: _, ...instant } = one.drawn
    answers[open] = { body: instant }
    await show()
    start()
    await advanceTime(4500)
    expect(screen.getByRole('alert')).toHaveTextContent(t.run.faults['not-sealed'])
  })

  it('isn’t opened instantly when orders are paused', async () => {
    answers[open] = refusal(503, 'sealed_paused')
    await show()
    start()
    await advanceTime(5000)
    expect(await bodies()).toHaveLength(1)
    expect(toastText()).toContain('Sealed packs are paused')
  })
})

describe('a pack that leaves the choice', () => {
  it('is sealed unless the player chooses otherwise', async () => {
    await show({ required: false, leadSeconds: 3 })
    expect(screen.getByRole('radio', { name: /^Sealed/ })).toBeChecked()
    fireEvent.click(screen.getByRole('radio', { name: /^Instant/ }))
    expect(screen.getByText(t.intro.locked)).toBeVisible()
    start()
    await advanceTime(700)
    const [body] = await bodies()
    expect(body).not.toHaveProperty('sealed')
  })
})
