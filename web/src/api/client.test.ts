import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { stubApi } from '@test/stub-api'
import { ApiError } from '@/contract/error'
import { walletAddressKey } from '@/lib/wallet-address'
import { serverNow } from '@/lib/server-clock'
import { api, read } from './client'

describe('the client', () => {
  it('sends the stored wallet, and no header without one', async () => {
    const seen = stubApi({ 'GET /api/packs': { body: [] } })
    await read(api.GET('/api/packs'))
    localStorage.setItem(walletAddressKey, 'abc')
    await read(api.GET('/api/packs'))
    expect(seen.map((request) => request.headers.get('Authorization'))).toEqual([null, 'Wallet abc'])
    expect(seen[0]?.credentials).toBe('include')
  })

  it('fills in path and query parameters, and sends the body as JSON', async () => {
    const seen = stubApi({ 'GET /api/items': { body: [] }, 'DELETE /api/watchlist/a%2Fb': { body: null } })
    await read(api.GET('/api/items', { params: { query: { search: 'a&b c', limit: 2 } } }))
    await api.DELETE('/api/watchlist/{id}', { params: { path: { id: 'a/b' } } })
    const requests = stubApi({ 'POST /api/auth/challenge': { body: {} } })
    await read(api.POST('/api/auth/challenge', { body: { address: 'abc' }, headers: { Authorization: 'Wallet xyz' } }))
    expect(seen.map(({ method, url }) => `${method} ${url.slice(window.location.origin.length)}`)).toEqual([
      'GET /api/items?search=a%26b%20c&limit=2',
      'DELETE /api/watchlist/a%2Fb',
    ])
    expect(await requests[0]?.json()).toEqual({ address: 'abc' })
    expect(Object.fromEntries(requests[0]?.headers ?? [])).toEqual({
      authorization: 'Wallet xyz',
      'content-type': 'application/json',
    })
  })

  it('tracks the server’s time, and never runs ahead of it', async () => {
    vi.useFakeTimers({ now: Date.parse('2026-01-02T12:01:30.900Z'), toFake: ['Date'] })
    onTestFinished(() => void vi.useRealTimers())
    stubApi({ 'GET /api/packs': { body: [], headers: { Date: 'Fri, 02 Jan 2026 12:00:30 GMT' } } })
    await read(api.GET('/api/packs'))
    expect(new Date(serverNow()).toISOString()).toBe('2026-01-02T12:00:30.000Z')
  })

  it('reads a market index that includes its own last act', async () => {
    const seen = stubApi({
      'GET /api/marketplace': { body: [] },
      'GET /api/packs': { body: [] },
      'POST /api/marketplace/delist': { body: {}, headers: { 'X-Market-Position': 'e.2.7' } },
    })
    await read(api.POST('/api/marketplace/delist', { body: { inventoryId: 'e' } }))
    await read(api.GET('/api/marketplace'))
    await read(api.GET('/api/packs'))
    expect(seen.map((request) => request.headers.get('X-Market-Position'))).toEqual([null, 'e.2.7', null])
  })

  it('returns undefined for a response without a body', async () => {
    vi.stubGlobal('fetch', () => Promise.resolve(new Response(null, { status: 204 })))
    await expect(api.DELETE('/api/watchlist/{id}', { params: { path: { id: 'a' } } })).resolves.toMatchObject({
      data: undefined,
    })
  })

  it('turns an error response into an ApiError with all its details', async () => {
    stubApi({
      'GET /api/packs': {
        status: 422,
        body: { message: 'no', code: 'invalid', requestId: 'r7', fields: { limit: 'too large' } },
      },
    })
    const error = await read(api.GET('/api/packs')).catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(ApiError)
    expect(error).toMatchObject({ status: 422, code: 'invalid', requestId: 'r7', fields: { limit: 'too large' } })
  })

  it('quotes an error response that isn’t ours', async () => {
    vi.stubGlobal('fetch', () => Promise.resolve(new Response('Bad gateway', { status: 502 })))
    await expect(read(api.GET('/api/packs'))).rejects.toThrow('502: Bad gateway')
  })

  it('reports that no response arrived', async () => {
    vi.stubGlobal('fetch', () => Promise.reject(new TypeError('Failed to fetch')))
    await expect(read(api.GET('/api/packs'))).rejects.toMatchObject({ code: 'network', status: 0 })
  })

  it('treats a truncated response as none', async () => {
    const cut = () => new Response('[{"id":"1","na', { headers: { 'Content-Type': 'application/json' } })
    vi.stubGlobal('fetch', () => Promise.resolve(cut()))
    await expect(read(api.GET('/api/packs'))).rejects.toMatchObject({ code: 'network', status: 0 })
  })
})
