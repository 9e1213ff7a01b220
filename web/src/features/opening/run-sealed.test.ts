import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { ApiError } from '@/contract/error'
import type { OpenResult } from '@/contract/types'
import { newSealedServer } from '@test/fixtures/sealed'
import type { Attempt } from './attempt'
import { haulOf } from './haul'
import { isShowable, lateAfterMs, type Run, runReducer, startRun } from './run'
import { performRun, type RunPorts } from './run-driver'
import { sealedMoment } from './sealed-moment'

let ordered: OpenResult
let drawn: OpenResult
const attempt: Attempt = { packId: '2', clientSeed: 'x', commitment: 'c', manifest: 'm', sealed: true, sent: false }

beforeEach(async () => {
  ;({ ordered, drawn } = await (await newSealedServer()).open('x'))
  vi.useFakeTimers()
})
afterEach(() => vi.useRealTimers())

const orderOf = (n: number) => ({ ...ordered, openId: `open-${n}`, commitment: `c${n}` })
const drawOf = (n: number) => ({ ...drawn, openId: `open-${n}`, commitment: `c${n}` })
const voidOf = (n: number) => ({ ...orderOf(n), state: 'void' as const })

/** Performs a run of orders. `draws` answers for each open, in order, once it is asked; undefined if unreachable. */
function orders(quantity: number, draw: (n: number) => OpenResult | undefined, changed: Partial<RunPorts> = {}) {
  const log: string[] = []
  const states: Run[] = []
  let placed = 0
  const control = performRun(
    attempt,
    quantity,
    {
      prepareSend: () => () => {
        placed += 1
        log.push(`order ${placed}`)
        return Promise.resolve({ result: orderOf(placed), repeated: false })
      },
      check: () => Promise.resolve(null),
      nextAttempt: () => ({ ...attempt }),
      wasUsed: () => Promise.resolve(true),
      wait: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
      draw: (openId) => {
        log.push(`ask ${openId}`)
        const answer = draw(Number(openId.replace('open-', '')))
        return answer ? Promise.resolve(answer) : Promise.reject(new Error('unreachable'))
      },
      prove: () => Promise.resolve(null),
      ...changed,
    },
    (run) => states.push(run),
  )
  const last = () => states.at(-1)!
  return { control, log, states, last }
}

const advance = (ms: number) => vi.advanceTimersByTimeAsync(ms)

describe('sealed packs', () => {
  it('are all ordered before any draw is asked for, after the last one’s round', async () => {
    const { log, last } = orders(3, drawOf)
    await advance(3999)
    expect(log).toEqual(['order 1', 'order 2', 'order 3'])
    expect(last().phase).toBe('drawing')
    await advance(1)
    expect(log.slice(3)).toEqual(['ask open-1', 'ask open-2', 'ask open-3'])
    expect(last()).toMatchObject({ phase: 'ended', stop: null })
    expect(last().opened.map(({ state }) => state)).toEqual(['open', 'open', 'open'])
  })

  it('allow other packs to be opened as soon as all are ordered', async () => {
    const { control } = orders(2, () => undefined)
    await advance(0)
    expect((await control.placed).opened).toHaveLength(2)
    expect((await control.checked).phase).toBe('drawing')
  })

  it('are shown without a late one, which follows', async () => {
    let late = true
    const { control, last } = orders(2, (n) => (n === 2 && late ? orderOf(2) : drawOf(n)))
    await advance(4000)
    expect(isShowable(last())).toBe(false)
    await advance(lateAfterMs)
    expect(isShowable(last())).toBe(true)
    expect(haulOf((await control.showable).opened).openings).toHaveLength(1)
    late = false
    await advance(5000)
    expect(haulOf((await control.over).opened).openings).toHaveLength(2)
  })

  it('wait for a late round, and for a server that doesn’t answer', async () => {
    let answer: OpenResult | undefined = orderOf(1)
    const { last } = orders(1, () => answer)
    await advance(60_000)
    expect(isShowable(last())).toBe(false)
    answer = undefined
    await advance(60_000)
    answer = drawOf(1)
    await advance(5000)
    expect(last().phase).toBe('ended')
  })

  it('leave out refunded ones', async () => {
    const { control } = orders(2, (n) => (n === 1 ? voidOf(1) : drawOf(n)))
    await advance(4000)
    const { opened } = await control.ended
    const haul = haulOf(opened)
    expect(haul.openings.map(({ openId }) => openId)).toEqual(['open-2'])
    expect(haul.priceCents).toBe(drawn.priceCents)
  })

  it('are drawn after the user stopped ordering', async () => {
    const { control, log, last } = orders(10, drawOf)
    control.leave()
    await advance(4000)
    expect(log).toEqual(['order 1', 'ask open-1'])
    expect(last()).toMatchObject({ phase: 'ended', stop: { kind: 'left' } })
  })

  it('stop at once with the fault of an instant answer', async () => {
    const { control, log } = orders(3, drawOf, { check: () => Promise.resolve({ kind: 'not-sealed' }) })
    await advance(10_000)
    expect(log).toEqual(['order 1'])
    expect((await control.ended).stop).toEqual({ kind: 'fault', fault: { kind: 'not-sealed' } })
  })

  it('report a draw that fails verification', async () => {
    const { control } = orders(1, drawOf, { prove: () => Promise.resolve({ kind: 'draw', steps: [] }) })
    await advance(4000)
    expect((await control.ended).stop).toEqual({ kind: 'fault', fault: { kind: 'draw', steps: [] } })
  })

  it.each(['sealed_paused', 'publishing'] as const)(
    'end when orders are refused (%s), which charges nothing',
    (code) => {
      const run = startRun(attempt, 10)
      const error = new ApiError(503, code, 'No.')
      expect(runReducer(run, { type: 'failed', error })).toMatchObject({
        phase: 'ended',
        stop: { kind: 'refused', error },
      })
    },
  )
})

it('counts from the answer, whatever the device’s clock says', () => {
  const start = startRun(attempt, 1)
  expect(sealedMoment(null, 0)).toBe('ordering')
  expect(sealedMoment(start, 0)).toBe('ordering')
  const run = runReducer(start, { type: 'answered', result: ordered, repeated: false, at: 1000 })
  expect(run.orders).toEqual({ from: 1000, roundAt: 4200, pollAt: 5000, late: false })
  expect(sealedMoment(run, 4199)).toBe('counting')
  expect(sealedMoment(run, 4200)).toBe('publishing')
  expect(sealedMoment(run, 4200 + lateAfterMs)).toBe('late')
  expect(sealedMoment({ ...run, phase: 'proving' }, 9999)).toBe('drawn')
})
