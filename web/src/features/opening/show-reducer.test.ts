import { describe, expect, it } from 'vitest'
import type { Haul } from './haul'
import {
  scheduledEvents,
  initialShow,
  revealStep,
  showReducer,
  type Show,
  type ShowEvent,
  timing,
} from './show-reducer'

const haulOf = (packs: number, items: number) =>
  ({ openings: Array.from({ length: packs }), items: Array.from({ length: items }) }) as unknown as Haul
const haul = haulOf(1, 3)

const after = (...events: ShowEvent[]): Show => events.reduce(showReducer, initialShow)
const start: ShowEvent = { type: 'start', quantity: 1 }
const answer: ShowEvent = { type: 'answer', haul, repeated: false }

/** Runs the show's scheduled events, with the response after some milliseconds. Returns the start of each stage. */
function timeline(answeredAfter: number): Record<string, number> {
  const began: Record<string, number> = {}
  let show = showReducer(initialShow, start)
  let now = 0
  let queue = [{ at: answeredAfter, event: answer }, ...due(show, now)]
  began['animation'] = 0
  while (queue.length > 0) {
    queue = queue.toSorted((a, b) => a.at - b.at)
    const next = queue.shift()!
    now = next.at
    const before = show
    show = showReducer(show, next.event)
    if (show.stage !== before.stage) began[show.stage] = now
    if (show.revealed !== before.revealed && show.stage === 'reveal') began[`item ${show.revealed}`] = now
    if (show.sparked !== before.sparked && show.stage === 'reveal') began[`spark ${show.sparked}`] = now
    if (show.stage !== before.stage || show.revealed !== before.revealed) queue.push(...due(show, now))
  }
  return began
}

function due(show: Show, now: number) {
  return scheduledEvents(show, haul.items.length).map(([wait, event]) => ({ at: now + wait, event }))
}

describe('the timings of the specification', () => {
  it('are 2 s of animation, an item every 0.8 s, its effect 0.4 s later, then the results', () => {
    expect(timeline(600)).toEqual({
      animation: 0,
      reveal: 2000,
      'item 1': 2800,
      'spark 1': 3200,
      'item 2': 3600,
      'spark 2': 4000,
      'item 3': 4400,
      'spark 3': 4800,
      results: 4400 + timing.linger,
    })
  })

  it('extend the animation until the response arrives', () => {
    expect(timeline(5000)).toMatchObject({ reveal: 5000, 'item 1': 5800 })
  })

  it('put half a second between start and request', () => {
    expect(timing.request).toBe(500)
  })
})

describe('several packs', () => {
  const many = (show: Show) => ({ ...answer, haul: haulOf(10, show.revealed) })

  it('reveal ten items in at most five seconds, and fifty as well', () => {
    expect(10 * revealStep(haulOf(10, 10))).toBeLessThanOrEqual(5000)
    expect(50 * revealStep(haulOf(10, 50))).toBeLessThanOrEqual(5000)
  })

  it('keep the 0.8 s for few items, and for the items of one pack', () => {
    expect(revealStep(haulOf(3, 3))).toBe(800)
    expect(revealStep(haulOf(1, 10))).toBe(800)
  })

  it('skip to the end with one press, also before the answers have arrived', () => {
    const ten = { type: 'answer', haul: haulOf(10, 10), repeated: false } as const
    const startTen = { type: 'start', quantity: 10 } as const
    expect(after(startTen, { type: 'skip' }, ten)).toMatchObject({ stage: 'results', revealed: 10, sparked: 10 })
    expect(after(startTen, ten, { type: 'skip' })).toMatchObject({ stage: 'results', revealed: 10 })
    expect(after(startTen, ten, { type: 'animation-end' }, { type: 'skip' }).stage).toBe('results')
  })

  it('without any item go to the results', () => {
    expect(showReducer(after({ type: 'start', quantity: 10 }), many(initialShow)).stage).toBe('results')
  })
})

describe('skipping', () => {
  it('ends the animation at once when the response has arrived', () => {
    expect(after(start, answer, { type: 'skip' }).stage).toBe('reveal')
  })

  it('is remembered until the response arrives', () => {
    const waiting = after(start, { type: 'skip' })
    expect(waiting.stage).toBe('animation')
    expect(showReducer(waiting, answer).stage).toBe('reveal')
  })

  it('shows everything at once in the reveal', () => {
    const shown = after(start, answer, { type: 'skip' }, { type: 'reveal' }, { type: 'skip' })
    expect(shown).toMatchObject({ stage: 'results', revealed: 3, sparked: 3 })
  })

  it('does nothing in intro and results', () => {
    expect(after({ type: 'skip' })).toBe(initialShow)
    const results = after(start, answer, { type: 'skip' }, { type: 'skip' })
    expect(showReducer(results, { type: 'skip' })).toBe(results)
  })
})

it('opens the pack only after the animation time', () => {
  expect(after(start, answer).torn).toBe(false)
  expect(after(start, { type: 'tear' }).torn).toBe(true)
})

it('ignores responses it isn’t waiting for', () => {
  expect(after(answer)).toBe(initialShow)
  const results = after(start, answer, { type: 'skip' }, { type: 'skip' })
  expect(showReducer(results, { ...answer, haul: haulOf(1, 1) })).toBe(results)
})

it('each open begins with an empty intro', () => {
  expect(after(start, answer, { type: 'skip' }, { type: 'skip' }, { type: 'reset' })).toEqual(initialShow)
  expect(after(start, answer, { type: 'skip' }, { type: 'skip' }, { type: 'reset' }, start).haul).toBeNull()
})

describe('a sealed pack', () => {
  const sealed: ShowEvent = { type: 'start', quantity: 1, sealed: true }
  const ten = haulOf(10, 10)

  it('floats until it is drawn, then tears and is revealed', () => {
    const floating = after(sealed)
    expect(scheduledEvents(floating, 0)).toEqual([])
    const tearing = showReducer(floating, answer)
    expect(tearing).toMatchObject({ stage: 'animation', torn: true })
    expect(scheduledEvents(tearing, 3)).toEqual([[timing.sealedTear, { type: 'animation-end' }]])
    expect(showReducer(tearing, { type: 'animation-end' }).stage).toBe('reveal')
  })

  it('is revealed without tearing if the wait was skipped', () => {
    expect(after(sealed, { type: 'skip' }).stage).toBe('animation')
    expect(after(sealed, { type: 'skip' }, answer).stage).toBe('reveal')
  })

  it('shows late draws with the results, without changing a running reveal', () => {
    const revealing = after(sealed, answer, { type: 'animation-end' }, { type: 'more', haul: ten })
    expect(revealing).toMatchObject({ stage: 'reveal', haul })
    expect(showReducer(revealing, { type: 'finish' })).toMatchObject({ stage: 'results', haul: ten })
    const results = after(sealed, answer, { type: 'animation-end' }, { type: 'finish' }, { type: 'more', haul: ten })
    expect(results).toMatchObject({ stage: 'results', haul: ten })
  })
})
