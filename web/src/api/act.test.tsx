import { QueryClientProvider } from '@tanstack/react-query'
import { act as rendered, renderHook } from '@testing-library/react'
import type { ReactNode } from 'react'
import { beforeEach, expect, it, vi } from 'vitest'
import { type Session, SessionContext } from '@/lib/session'
import { walletAddressKey } from '@/lib/wallet-address'
import { useAddSandboxPoints } from './deposits'
import { createQueryClient } from './query-client'

type Reply = () => Response | Promise<Response>

/** The server's responses in turn; the last one repeats. */
let replies: Reply[]
let sent: { key: string | null; wallet: string | null; body: unknown }[]

const done: Reply = () => Response.json({ balanceCents: 1 })
const lost: Reply = () => Promise.reject(new TypeError('Failed to fetch'))
const gateway = (status: number) => () => new Response('<html>Gateway</html>', { status })
const refused = (status: number, code: string) => () => Response.json({ code, message: code }, { status })

beforeEach(() => {
  vi.useFakeTimers()
  replies = [done]
  sent = []
  vi.stubGlobal('fetch', async (request: Request) => {
    if (request.method !== 'POST') return Response.json({})
    const [key, wallet] = ['Idempotency-Key', 'Authorization'].map((name) => request.headers.get(name))
    sent.push({ key: key ?? null, wallet: wallet ?? null, body: await request.json() })
    return (replies.length > 1 ? replies.shift() : replies[0])?.()
  })
  return () => vi.useRealTimers()
})

const keysSent = () => sent.map(({ key }) => key)
const kept = () => Object.keys(localStorage).filter((place) => place.startsWith('act:'))

/** A page with a signed-in user. */
function openPage(address = 'alice') {
  let at = address
  const outcomes: string[] = []
  localStorage.setItem(walletAddressKey, address)
  const client = createQueryClient()
  const wrapper = ({ children }: { children: ReactNode }) => (
    <QueryClientProvider client={client}>
      <SessionContext value={{ status: 'signed-in', address: at } as Session}>{children}</SessionContext>
    </QueryClientProvider>
  )
  const hook = renderHook(
    () => useAddSandboxPoints({ onDone: () => outcomes.push('done'), onFailed: () => outcomes.push('failed') }),
    { wrapper },
  )
  return {
    outcomes,
    deposit: (amount = 25) => rendered(() => hook.result.current.mutate({ amount })),
    signInAs(other: string) {
      at = other
      localStorage.setItem(walletAddressKey, other)
      hook.rerender()
    },
    reload: () => {
      hook.unmount()
      return openPage(at)
    },
  }
}

const advanceTime = (ms = 0) => rendered(() => vi.advanceTimersByTimeAsync(ms))

it('gives every act its own key, and removes it once answered', async () => {
  const page = openPage()
  for (const amount of [25, 25, 50]) {
    page.deposit(amount)
    await advanceTime()
  }
  expect(new Set(keysSent()).size).toBe(3)
  expect(keysSent()[0]).toMatch(/^[0-9a-f-]{36}$/)
  expect(page.outcomes).toEqual(['done', 'done', 'done'])
  expect(kept()).toEqual([])
})

it.each<[string, Reply]>([
  ['a lost response', lost],
  ['a truncated response', () => new Response('{"bal', { headers: { 'Content-Type': 'application/json' } })],
  ['a bad gateway', gateway(502)],
  ['a gateway timeout', gateway(504)],
])('retries after %s with the same key', async (_, fails) => {
  replies = [fails, fails, done]
  const page = openPage()
  page.deposit()
  await advanceTime(2000)
  expect(sent).toHaveLength(3)
  expect(new Set(keysSent()).size).toBe(1)
  expect(page.outcomes).toEqual(['done'])
  expect(kept()).toEqual([])
})

it('gives up after two retries, and reuses the key next time', async () => {
  replies = [lost]
  const page = openPage()
  page.deposit()
  await advanceTime(10_000)
  expect(sent).toHaveLength(3)
  expect(page.outcomes).toEqual(['failed'])
  replies = [done]
  page.deposit()
  await advanceTime()
  expect(new Set(keysSent()).size).toBe(1)
  expect(kept()).toEqual([])
})

it('reuses the key after a reload, only for the same body', async () => {
  replies = [() => new Promise(() => {})]
  const page = openPage()
  page.deposit(25)
  await advanceTime()
  const reloaded = page.reload()
  replies = [done]
  reloaded.deposit(50)
  reloaded.deposit(25)
  await advanceTime()
  expect(keysSent()[1]).not.toBe(keysSent()[0])
  expect(keysSent()[2]).toBe(keysSent()[0])
})

it('uses a new key after a long pause, even if the act was never answered', async () => {
  replies = [lost]
  const page = openPage()
  page.deposit()
  await advanceTime(2000)
  await advanceTime(590_000)
  replies = [lost, lost, lost, done]
  page.deposit()
  await advanceTime(2000)
  expect(new Set(keysSent()).size).toBe(1)
  await advanceTime(600_000)
  page.deposit()
  await advanceTime()
  expect(new Set(keysSent()).size).toBe(2)
  expect(kept()).toEqual([])
})

it('removes expired keys and nothing else', async () => {
  localStorage.setItem('cart:alice', '[]')
  localStorage.setItem('act:bob:deposit:{"amount":1}', '00000000-0000-4000-8000-000000000000')
  const page = openPage()
  replies = [lost]
  page.deposit(25)
  await advanceTime(2000)
  await advanceTime(300_000)
  page.deposit(50)
  await advanceTime(2000)
  await advanceTime(300_000)
  replies = [done]
  page.deposit(75)
  await advanceTime()
  expect(kept()).toEqual(['act:alice:deposit:{"amount":50}'])
  expect(localStorage.getItem('cart:alice')).toBe('[]')
})

it('ignores keys that an older version stored without a time', async () => {
  const page = openPage()
  replies = [() => new Promise(() => {})]
  page.deposit()
  await advanceTime()
  const [place] = kept()
  localStorage.setItem(place!, '00000000-0000-4000-8000-000000000000')
  const reloaded = page.reload()
  replies = [done]
  reloaded.deposit()
  await advanceTime()
  expect(keysSent()[1]).toMatch(/^[0-9a-f-]{36}$/)
  expect(keysSent()[1]).not.toMatch(/^0{8}/)
  expect(kept()).toEqual([])
})

it('treats a refusal as final, and the next try is a new act', async () => {
  replies = [refused(422, 'invalid')]
  const page = openPage()
  page.deposit()
  await advanceTime(10_000)
  expect(sent).toHaveLength(1)
  expect(kept()).toEqual([])
})

it.each([
  [500, 'internal'],
  [503, 'unavailable'],
])('doesn’t retry after %s by itself, but keeps the key because the act may have succeeded', async (status, code) => {
  replies = [refused(status, code), done]
  const page = openPage()
  page.deposit()
  await advanceTime(10_000)
  expect(sent).toHaveLength(1)
  page.deposit()
  await advanceTime()
  expect(new Set(keysSent()).size).toBe(1)
  expect(kept()).toEqual([])
})

it('keeps the key after a refusal while an earlier try is unanswered', async () => {
  replies = [lost, refused(429, 'rate_limited')]
  const page = openPage()
  page.deposit()
  await advanceTime(1000)
  expect(page.outcomes).toEqual(['failed'])
  replies = [done]
  page.deposit()
  await advanceTime()
  expect(new Set(keysSent()).size).toBe(1)
})

it('drops a key that belongs to another request', async () => {
  replies = [lost, refused(422, 'idempotency_mismatch')]
  openPage().deposit()
  await advanceTime(1000)
  expect(kept()).toEqual([])
})

it('shares the key between two tabs, also after one of them is answered', async () => {
  let answer: (response: Response) => void = () => {}
  replies = [() => new Promise((resolve) => (answer = resolve)), lost, done]
  const [first, second] = [openPage(), openPage()]
  first.deposit()
  await advanceTime()
  second.deposit()
  await advanceTime()
  answer(Response.json({}))
  await advanceTime()
  expect(first.outcomes).toEqual(['done'])
  await advanceTime(1000)
  expect(second.outcomes).toEqual(['done'])
  expect(keysSent()).toEqual([keysSent()[0], keysSent()[0], keysSent()[0]])
  expect(kept()).toEqual([])
})

it('uses a new key for another user of the same browser', async () => {
  replies = [lost]
  const page = openPage('alice')
  page.deposit()
  await advanceTime(10_000)
  replies = [done]
  page.signInAs('bob')
  page.deposit()
  await advanceTime()
  expect(sent.at(-1)).toMatchObject({ wallet: 'Wallet bob' })
  expect(sent.at(-1)?.key).not.toBe(keysSent()[0])
  page.signInAs('alice')
  page.deposit()
  await advanceTime()
  expect(sent.at(-1)).toEqual(sent[0])
})

it('is neither retried as another user nor forgotten when its user signs out meanwhile', async () => {
  replies = [lost, refused(401, 'wallet_mismatch')]
  const page = openPage('alice')
  page.deposit()
  await advanceTime()
  page.signInAs('bob')
  await advanceTime(1000)
  expect(sent.map(({ wallet }) => wallet)).toEqual(['Wallet alice', 'Wallet alice'])
  expect(kept()).toHaveLength(1)
  replies = [done]
  page.signInAs('alice')
  page.deposit()
  await advanceTime()
  expect(new Set(keysSent()).size).toBe(1)
  expect(kept()).toEqual([])
})
