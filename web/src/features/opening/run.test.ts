import { beforeEach, describe, expect, it } from 'vitest'
import { ApiError } from '@/contract/error'
import { verifyOpen } from '@/lib/protocol/verify-open'
import { leafText } from '@test/fixtures/protocol'
import { lostAnswer, newOpenServer, type OpenServer, refusedWith } from '@test/fixtures/open-server'
import { type Attempt, forgetAttempt, prepareAttempt, replaceAttempt, requestOf, saveAttempt } from './attempt'
import { isOver, isUnknown, repeatDelay, type Run, unopened } from './run'
import { performRun, type RunPorts } from './run-driver'

const user = 'alice'
const priceCents = 2500

let server: OpenServer
/** Commitments of the opens shown, by open. */
let seen: Map<string, string>
let waits: number[]

beforeEach(async () => {
  server = await newOpenServer()
  seen = new Map()
  waits = []
})

function ports(changed: Partial<RunPorts> = {}): RunPorts {
  return {
    prepareSend(attempt) {
      const key = crypto.randomUUID()
      return async () => {
        saveAttempt(user, { ...attempt, sent: true })
        const result = await server.open(requestOf(attempt), key)
        forgetAttempt(user, attempt)
        const repeated = seen.get(result.openId) === attempt.commitment
        if (!seen.has(result.openId)) seen.set(result.openId, attempt.commitment)
        return { result, repeated }
      }
    },
    async check(attempt, result) {
      const steps = await verifyOpen(requestOf(attempt), result, {
        manifest: server.manifest,
        publishedKey: server.signer.verifierKey,
        replacedKeys: [],
      })
      return steps.length > 0 ? { kind: 'receipt', steps } : null
    },
    nextAttempt: ({ packId, manifest }, { next }) => replaceAttempt(user, { packId, manifest, ...next }),
    wasUsed: ({ commitment }) => Promise.resolve(server.opens.some((open) => open.commitment === commitment)),
    wait: (ms) => {
      waits.push(ms)
      return Promise.resolve()
    },
    draw: () => Promise.reject(new Error('nothing was ordered')),
    prove: () => Promise.resolve(null),
    ...changed,
  }
}

const firstAttempt = async (): Promise<Attempt> =>
  prepareAttempt(user, { packId: '2', manifest: server.manifestHash, ...(await server.current()) })

/** Performs a run of ten. Returns its end and every state. */
async function openTen(changed: Partial<RunPorts> = {}, onChange: (run: Run, leave: () => void) => void = () => {}) {
  const states: Run[] = []
  const control = performRun(await firstAttempt(), 10, ports(changed), (run) => {
    states.push(run)
    onChange(run, () => control.leave())
  })
  return { run: await control.ended, states }
}

/** Expects the count on the page to be that of the server, and the money to be exact. */
function expectExact(run: Run, opened: number) {
  expect(run.opened.map(({ openId }) => openId)).toEqual(server.opens.slice(0, opened).map(({ openId }) => openId))
  expect(run.opened).toHaveLength(opened)
  expect(server.balanceCents).toBe(100_000 - server.opens.length * priceCents)
}

describe('ten packs', () => {
  it('are ten opens, each with the commitment that the receipt before announced, a seed and a key of its own', async () => {
    const { run } = await openTen()
    expectExact(run, 10)
    expect(run).toMatchObject({ phase: 'ended', stop: null })
    expect(unopened(run)).toBe(0)
    expect(new Set(server.requests.map(({ key }) => key)).size).toBe(10)
    expect(new Set(server.requests.map(({ request }) => request.clientSeed)).size).toBe(10)
    const commitments = server.requests.map(({ request }) => request.commitment)
    expect(commitments.slice(1)).toEqual(server.opens.slice(0, 9).map(({ next }) => next.commitment))
  })

  it('use a typed seed for the first one only', async () => {
    const attempt = { ...(await firstAttempt()), clientSeed: 'my words' }
    await performRun(attempt, 3, ports(), () => {}).ended
    const [first, ...later] = server.requests.map(({ request }) => request.clientSeed)
    expect(first).toBe('my words')
    for (const seed of later) expect(seed).toMatch(/^[0-9a-f]{64}$/)
  })

  it('make the next seed only after the answer has arrived and its receipt was checked', async () => {
    const order: string[] = []
    const own = ports()
    await openTen({
      prepareSend(attempt) {
        const send = own.prepareSend(attempt)
        return async () => {
          const answer = await send()
          order.push('answer')
          return answer
        }
      },
      async check(attempt, result) {
        const fault = await own.check(attempt, result)
        order.push('check')
        return fault
      },
      nextAttempt(attempt, result) {
        order.push('seed')
        return own.nextAttempt(attempt, result)
      },
    })
    expect(order.slice(0, 6)).toEqual(['answer', 'check', 'seed', 'answer', 'check', 'seed'])
    expect(order.filter((step) => step === 'seed')).toHaveLength(9)
  })

  it('are over with the last answer, before its receipt is checked', async () => {
    let checks = 0
    let finish = () => {}
    const own = ports()
    const control = performRun(
      await firstAttempt(),
      3,
      ports({
        check: (attempt, result) => {
          checks += 1
          return checks < 3 ? own.check(attempt, result) : new Promise((resolve) => (finish = () => resolve(null)))
        },
      }),
      () => {},
    )
    const over = await control.over
    expect(over.opened).toHaveLength(3)
    expect(isOver(over)).toBe(true)
    finish()
    expect((await control.ended).phase).toBe('ended')
  })
})

const refusals = [
  ['sold out', 410, 'sold_out'],
  ['a limit', 403, 'loss_limit'],
  ['a house rule', 403, 'house_limit'],
  ['a changed manifest', 409, 'manifest_changed'],
  ['the margin guard', 409, 'margin'],
  ['a frozen account', 403, 'account_frozen'],
  ['too many requests', 429, 'rate_limited'],
] as const

describe('a refusal stops the run', () => {
  it.each(refusals)('%s', async (_, status, code) => {
    server.before.set(7, () => {
      throw refusedWith(status, code)
    })
    const { run } = await openTen()
    expectExact(run, 6)
    expect(run.stop).toMatchObject({ kind: 'refused', error: { code } })
    expect(unopened(run)).toBe(4)
    expect(server.requests).toHaveLength(7)
  })

  it('an empty balance', async () => {
    server.balanceCents = 6 * priceCents
    const { run } = await openTen()
    expect(run.opened).toHaveLength(6)
    expect(server.balanceCents).toBe(0)
    expect(run.stop).toMatchObject({ kind: 'refused', error: { code: 'insufficient_funds' } })
  })

  it('a commitment that another tab used, after finding its open in the history', async () => {
    const searched: string[] = []
    const own = ports()
    const elsewhere = async () => {
      const current = await server.current()
      await server.open({ packId: '2', manifest: server.manifestHash, clientSeed: 'elsewhere', ...current }, 'other')
    }
    let sent = 0
    const { run } = await openTen({
      prepareSend(attempt) {
        const send = own.prepareSend(attempt)
        return async () => {
          sent += 1
          if (sent === 7) await elsewhere()
          return send()
        }
      },
      wasUsed: (attempt) => {
        searched.push(attempt.commitment)
        return own.wasUsed(attempt)
      },
    })
    expectExact(run, 6)
    expect(run.stop).toMatchObject({ kind: 'refused', error: { code: 'commitment_changed' } })
    expect(searched).toEqual([server.opens[5]?.next.commitment])
    expect(server.opens).toHaveLength(7)
  })

  it('without a claim about the server if the history can’t be loaded', async () => {
    server.before.set(7, () => {
      throw refusedWith(409, 'commitment_changed')
    })
    const { run } = await openTen({ wasUsed: () => Promise.reject(lostAnswer()) })
    expect(run.stop).toMatchObject({ kind: 'refused', error: { code: 'commitment_changed' } })
  })
})

describe('an unknown outcome', () => {
  const failures = [
    ['a lost answer', lostAnswer],
    ['a gateway’s error', () => new ApiError(502, 'unknown', '502: Bad gateway')],
    ['a server error', () => refusedWith(500, 'internal')],
    ['a restart', () => refusedWith(503, 'unavailable')],
  ] as const

  it.each(failures)('%s is repeated with the same seed and key, and charged once', async (_, error) => {
    for (const number of [7, 8]) {
      server.after.set(number, () => {
        throw error()
      })
    }
    const { run, states } = await openTen()
    expectExact(run, 10)
    expect(server.opens).toHaveLength(10)
    expect(server.requests).toHaveLength(12)
    const [seventh, eighth, ninth] = server.requests.slice(6)
    expect(eighth).toEqual(seventh)
    expect(ninth).toEqual(seventh)
    const unknown = states.find(isUnknown)
    expect(unknown?.opened).toHaveLength(6)
    expect(waits).toEqual([1000, 1000])
  })

  it('waits longer from try to try', () => {
    expect([1, 2, 3, 4, 5, 9].map((lost) => repeatDelay({ lost }))).toEqual([1000, 1000, 2000, 4000, 5000, 5000])
  })

  it('is repeated until the user stops waiting, and then counted as unknown', async () => {
    for (let number = 7; number < 40; number += 1) {
      server.after.set(number, () => {
        throw lostAnswer()
      })
    }
    const { run } = await openTen({}, (now, leave) => now.lost === 5 && leave())
    expect(run.opened).toHaveLength(6)
    expect(run.stop?.kind).toBe('unanswered')
    expect([isUnknown(run), unopened(run)]).toEqual([true, 3])
    // It was charged, and the stored attempt shows it when the pack is opened again.
    expect(server.opens).toHaveLength(7)
    expect(prepareAttempt(user, { packId: '2', manifest: 'm', commitment: 'c' })).toMatchObject({
      sent: true,
      clientSeed: server.opens[6]?.clientSeed,
    })
  })

  it('stays unknown if a repeated request is refused for another reason', async () => {
    server.after.set(7, () => {
      throw lostAnswer()
    })
    server.before.set(8, () => {
      throw refusedWith(429, 'rate_limited')
    })
    const { run } = await openTen()
    expect(run.stop?.kind).toBe('unanswered')
    expect([run.opened.length, unopened(run)]).toEqual([6, 3])
  })

  it('of a single open is tried three times', async () => {
    for (const number of [1, 2, 3]) {
      server.after.set(number, () => {
        throw lostAnswer()
      })
    }
    const run = await performRun(await firstAttempt(), 1, ports(), () => {}).ended
    expect(run.stop?.kind).toBe('unanswered')
    expect(server.requests).toHaveLength(3)
    expect(server.opens).toHaveLength(1)
  })
})

describe('leaving', () => {
  it('opens no further pack, and keeps the one in flight', async () => {
    const { run } = await openTen({}, (now, leave) => now.opened.length === 3 && now.phase === 'sending' && leave())
    expectExact(run, 4)
    expect(run.stop?.kind).toBe('left')
    expect(server.requests).toHaveLength(4)
  })

  it('a closed tab leaves the attempt in flight, which the next visit completes without a second charge', async () => {
    const own = ports()
    let sent = 0
    // The tab closes before the seventh answer arrives.
    void openTen({
      prepareSend(attempt) {
        const send = own.prepareSend(attempt)
        return async () => {
          sent += 1
          if (sent < 7) return send()
          saveAttempt(user, { ...attempt, sent: true })
          await server.open(requestOf(attempt), 'k')
          return new Promise(() => {})
        }
      },
    })
    await expect.poll(() => server.opens.length).toBe(7)
    const later = await firstAttempt()
    expect(later).toMatchObject({ sent: true, clientSeed: server.opens[6]?.clientSeed })
    const run = await performRun(later, 1, ports(), () => {}).ended
    expect(run.opened.map(({ openId }) => openId)).toEqual([server.opens[6]?.openId])
    expect(server.balanceCents).toBe(100_000 - 7 * priceCents)
  })
})

it('two tabs with the same attempt open one pack, and only the first goes on', async () => {
  const attempt = await firstAttempt()
  const [first, second] = await Promise.all([
    performRun(attempt, 10, ports(), () => {}).ended,
    performRun(attempt, 10, ports(), () => {}).ended,
  ])
  const [going, stopped] = first.stop === null ? [first, second] : [second, first]
  expect(going.opened).toHaveLength(10)
  expect(stopped.stop?.kind).toBe('repeated')
  expect(stopped.opened).toHaveLength(1)
  expect(server.opens).toHaveLength(10)
})

it('a pack whose answer was lost counts as opened, also if another tab has shown it since', async () => {
  const attempt = await firstAttempt()
  const first = ports()
  server.after.set(2, () => {
    throw lostAnswer()
  })
  const { run } = await openTen({
    wait: async () => {
      // The other tab resumes the stored attempt.
      const stored = prepareAttempt(user, attempt)
      expect(stored.sent).toBe(true)
      await performRun(stored, 1, first, () => {}).ended
    },
  })
  expectExact(run, 2)
  expect(run.stop?.kind).toBe('repeated')
  expect([isUnknown(run), unopened(run)]).toEqual([false, 8])
})

it('a single open that another tab has shown already says so', async () => {
  const attempt = await firstAttempt()
  await performRun(attempt, 1, ports(), () => {}).ended
  const second = await performRun(attempt, 1, ports(), () => {}).ended
  expect(second.stop?.kind).toBe('repeated')
  expect(second.opened).toHaveLength(1)
  expect(server.opens).toHaveLength(1)
})

describe('a server that cheats is reported', () => {
  const other = 'cd'.repeat(32)
  const faultOf = (run: Run) => (run.stop?.kind === 'fault' ? run.stop.fault : null)

  it.each<[string, Parameters<OpenServer['cheats']['set']>[1], string[]]>([
    [
      'a next commitment that isn’t the receipt’s',
      (result) => ({ ...result, next: { ...result.next, commitment: other } }),
      ['next'],
    ],
    ['a next nonce that skips one', (result) => ({ ...result, next: { ...result.next, nonce: 99 } }), ['next']],
    [
      'another client seed',
      async (result) => {
        const leaf = leafText({ ...result, clientSeed: 'theirs' }).replace(
          /^next .*$/m,
          `next ${result.next.commitment}`,
        )
        return { ...result, receipt: await server.signer.sign(leaf) }
      },
      ['shown'],
    ],
    ['items that aren’t the receipt’s', (result) => ({ ...result, items: [] }), ['shown']],
    [
      'a receipt that someone else signed',
      async (result) => {
        const theirs = await newOpenServer()
        const [text = ''] = result.receipt.split('\n\n')
        return { ...result, receipt: await theirs.signer.sign(`${text}\n`) }
      },
      ['receipt'],
    ],
    ['an earlier open again', () => server.opens[1]!, ['shown', 'announced']],
    ['no receipt', (result) => ({ ...result, receipt: '' }), ['receipt', 'leaf']],
  ])('%s', async (_, cheat, ids) => {
    server.cheats.set(4, cheat)
    const { run } = await openTen()
    expect(run.opened).toHaveLength(4)
    expect(run.stop?.kind).toBe('fault')
    const fault = faultOf(run)
    expect(fault?.kind === 'receipt' && fault.steps.map(({ id }) => id)).toEqual(expect.arrayContaining(ids))
    expect(server.requests).toHaveLength(4)
    expect(unopened(run)).toBe(6)
  })

  it('also in the last receipt', async () => {
    server.cheats.set(10, (result) => ({ ...result, next: { ...result.next, commitment: other } }))
    const { run } = await openTen()
    expect(run.opened).toHaveLength(10)
    expect(faultOf(run)?.kind).toBe('receipt')
  })

  it('an earlier open again, also in answer to a single open', async () => {
    await performRun(await firstAttempt(), 1, ports(), () => {}).ended
    server.cheats.set(2, () => server.opens[0]!)
    const run = await performRun(await firstAttempt(), 1, ports(), () => {}).ended
    expect(faultOf(run)?.kind).toBe('receipt')
    expect(server.opens).toHaveLength(2)
  })

  it('a commitment that it calls used, but that no open used', async () => {
    server.before.set(5, () => {
      throw refusedWith(409, 'commitment_changed')
    })
    const { run } = await openTen()
    expectExact(run, 4)
    expect(faultOf(run)).toEqual({ kind: 'unused-commitment' })
  })
})

it('stops if a receipt can’t be checked', async () => {
  const own = ports()
  let checks = 0
  const { run } = await openTen({
    check: (attempt, result) => {
      checks += 1
      return checks === 3 ? Promise.reject(lostAnswer()) : own.check(attempt, result)
    },
  })
  expectExact(run, 3)
  expect(run.stop).toEqual({ kind: 'unchecked' })
})

it('says if the last receipt can’t be checked', async () => {
  const run = await performRun(await firstAttempt(), 1, ports({ check: () => Promise.reject(lostAnswer()) }), () => {})
    .ended
  expectExact(run, 1)
  expect(run.stop).toEqual({ kind: 'unchecked' })
})
