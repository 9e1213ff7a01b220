import {
  type InfiniteData,
  InfiniteQueryObserver,
  type QueryClient,
  type QueryKey,
  QueryObserver,
} from '@tanstack/react-query'
import { describe, expect, it, vi } from 'vitest'
import type { FeedEvent, FeedKind } from '@/contract/feed'
import type { Trade } from '@/contract/types'
import { activity, pokemon, someEntry } from '@test/data'
import { keys } from '../keys'
import type { Page } from '../paged-query'
import { createQueryClient } from '../query-client'
import { applyEvents } from './invalidations'
import { sharedPace, ownPace, type Pace } from './refresher'

const { item } = someEntry('a')
const listedItem = {
  id: 'pkm-001',
  name: 'Charizard Holo',
  imageUrl: '/x.svg',
  series: 'Pokemon',
  rarity: 'Epic',
} as const
const listing = (id: string, more: object = {}) => ({ id, listingId: `${id}1`, salePriceCents: 1000, item, ...more })
const page = <T>(...entries: T[]): InfiniteData<Page<T>> => ({
  pages: [{ entries, next: undefined }],
  pageParams: [''],
})

/** Displays a query's data. */
function show(client: QueryClient, queryKey: QueryKey, data: unknown) {
  client.setQueryData(queryKey, data)
  const query = { queryKey, staleTime: Number.POSITIVE_INFINITY }
  const never = () => new Promise<never>(() => {})
  const isList = typeof data === 'object' && data !== null && 'pages' in data
  const observer = isList
    ? new InfiniteQueryObserver(client, { ...query, queryFn: never, initialPageParam: '', getNextPageParam: () => '' })
    : new QueryObserver(client, { ...query, queryFn: never })
  observer.subscribe(() => {})
}

function market() {
  const client = createQueryClient()
  const refreshed = new Map<string, Pace>()
  const take = applyEvents(client, {
    refresh: ({ queryKey }, pace) => refreshed.set(JSON.stringify(queryKey), pace),
    stop: vi.fn(),
  })
  let id = 0
  const happen = <K extends FeedKind>(kind: K, data: FeedEvent<K>['data'], more: { own?: boolean } = {}) =>
    take({ id: String((id += 1)), kind, data, ...more } as FeedEvent)
  const paceOf = (key: QueryKey) => refreshed.get(JSON.stringify(key))
  return { client, happen, paceOf }
}

const sold = (inventoryId: string, more: Partial<FeedEvent<'sale'>['data']> = {}) => ({
  inventoryId,
  kind: 'listing' as const,
  priceCents: 1000,
  item: listedItem,
  at: '2026-01-02T03:04:05.000001Z',
  ...more,
})
const offered = (inventoryId: string, more: Partial<FeedEvent<'listing'>['data']> = {}) => ({
  inventoryId,
  listingId: 'new',
  priceCents: 1500,
  item: listedItem,
  ...more,
})

describe('a listing', () => {
  const list = [...keys.marketplace, {}]

  it('updates price and sold state in place', () => {
    const { client, happen } = market()
    show(client, list, page(listing('a'), listing('b'), listing('c')))
    happen('listing', offered('b'))
    happen('sale', sold('a'))
    happen('left', { inventoryId: 'c', itemId: 'pkm-001' })
    expect(client.getQueryData(list)).toMatchObject({
      pages: [
        {
          entries: [
            { id: 'a', gone: 'sold' },
            { id: 'b', salePriceCents: 1500, listingId: 'new' },
            { id: 'c', gone: 'withdrawn' },
          ],
        },
      ],
    })
    happen('listing', offered('a'))
    expect(client.getQueryData<InfiniteData<Page<object>>>(list)?.pages[0]?.entries[0]).toMatchObject({
      gone: undefined,
      salePriceCents: 1500,
    })
  })

  it('is announced once while not shown, and no longer after it is gone', () => {
    const { client, happen } = market()
    show(client, list, page(listing('a')))
    const fresh = () => client.getQueryData<InfiniteData<Page<object>>>(list)?.pages[0]?.newIds
    happen('listing', offered('x'))
    happen('listing', offered('x', { priceCents: 1400 }))
    happen('listing', offered('y'))
    expect(fresh()).toEqual(['x', 'y'])
    happen('delisted', { inventoryId: 'x', itemId: 'pkm-001' })
    expect(fresh()).toEqual(['y'])
  })

  it.each([
    [{}, true],
    [{ series: 'pokemon', rarity: 'Epic', search: 'holo chari', minPrice: 15, maxPrice: 15 }, true],
    [{ sortBy: 'price-low' }, true],
    [{ series: 'labubu' }, false],
    [{ rarity: 'Rare' }, false],
    [{ search: 'rizard' }, false],
    [{ minPrice: 16 }, false],
    [{ maxPrice: 14 }, false],
    // Events don't contain these fields.
    [{ grade: 9 }, false],
    [{ certification: 'PSA' }, false],
  ])('is announced if it matches the filter %o: %s', (filter, passes) => {
    const { client, happen } = market()
    const narrowed = [...keys.marketplace, filter]
    show(client, narrowed, page())
    happen('listing', offered('x'))
    expect(client.getQueryData<InfiniteData<Page<object>>>(narrowed)?.pages[0]?.newIds).toEqual(
      passes ? ['x'] : undefined,
    )
  })

  it('is only marked as stale on hidden pages', () => {
    const { client, happen } = market()
    const before = page(listing('a'))
    client.setQueryData(list, before)
    happen('sale', sold('a'))
    expect(client.getQueryData(list)).toBe(before)
    expect(client.getQueryState(list)?.isInvalidated).toBe(true)
  })

  it('keeps events that arrive during a refetch', async () => {
    const { client, happen } = market()
    show(client, list, page(listing('a')))
    let answer: (page: object) => void = () => {}
    const read = client.fetchInfiniteQuery({
      queryKey: list,
      queryFn: () => new Promise((resolve) => (answer = resolve)),
      initialPageParam: '',
      staleTime: 0,
    })
    happen('sale', sold('a'))
    answer({ entries: [listing('a')], next: undefined })
    await read
    await vi.waitFor(() =>
      expect(client.getQueryData(list)).toMatchObject({ pages: [{ entries: [{ id: 'a', gone: 'sold' }] }] }),
    )
  })

  it('also updates on its item page, whose order book, sales and counts are refetched', () => {
    const { client, happen, paceOf } = market()
    show(client, keys.item('pkm-001'), { listings: [listing('a'), listing('b')] })
    show(client, keys.itemSales('pkm-001'), { sales: [], spans: [] })
    happen('sale', sold('a'))
    happen('listing', offered('x'))
    expect(client.getQueryData(keys.item('pkm-001'))).toMatchObject({
      listings: [{ id: 'a', gone: 'sold' }, { id: 'b' }],
      fresh: ['x'],
    })
    const shared = [
      keys.itemBook('pkm-001'),
      keys.itemSales('pkm-001'),
      keys.facets,
      keys.watched,
      keys.setPages,
      keys.entry('a'),
    ]
    for (const key of shared) expect(paceOf(key)).toBe(sharedPace)
    expect(paceOf(keys.marketplace)).toBeUndefined()
    expect(paceOf(keys.wallet)).toBeUndefined()
  })

  it('gets a new value', () => {
    const { client, happen, paceOf } = market()
    show(client, list, page(listing('a')))
    happen('value', { itemId: item.id, valueCents: 777 })
    expect(client.getQueryData(list)).toMatchObject({ pages: [{ entries: [{ item: { baseValueCents: 777 } }] }] })
    expect(paceOf(keys.packs)).toBe(sharedPace)
  })
})

describe('an event of the user’s own', () => {
  it.each([
    ['sale', sold('a')],
    ['listing', offered('a')],
    ['delisted', { inventoryId: 'a', itemId: 'pkm-001' }],
    ['left', { inventoryId: 'a', itemId: 'pkm-001' }],
  ] as const)('%s: their data is refetched without delay, and only then', (kind, data) => {
    const { happen, paceOf } = market()
    happen(kind, data)
    expect(paceOf(keys.wallet)).toBeUndefined()
    happen(kind, data, { own: true })
    for (const own of [keys.wallet, keys.inventory, keys.bids, keys.alerts, keys.myTrades])
      expect(paceOf(own)).toBe(ownPace)
  })

  it('book: their bid may have returned the money it held', () => {
    const { happen, paceOf } = market()
    const changed = { itemId: 'pkm-001', inventoryId: '' }
    happen('book', changed)
    expect(paceOf(keys.wallet)).toBeUndefined()
    happen('book', changed, { own: true })
    expect(paceOf(keys.wallet)).toBe(ownPace)
    expect(paceOf(keys.inventory)).toBeUndefined()
  })
})

describe('an open or trade', () => {
  it('comes first among the latest, once, and its pack is refetched', () => {
    const { client, happen, paceOf } = market()
    show(client, keys.recentPulls, activity)
    client.setQueryData(keys.packs, [pokemon])
    const pull = { ...activity[0]!, id: 'new' }
    happen('open', pull)
    happen('open', pull)
    expect(client.getQueryData(keys.recentPulls)).toEqual([pull, ...activity])
    expect(paceOf(keys.pack('2'))).toBe(sharedPace)
    expect(paceOf(keys.packs)).toBeUndefined()
    client.setQueryData(keys.packs, [{ ...pokemon, supply: 10 }])
    happen('open', pull)
    expect(paceOf(keys.packs)).toBe(sharedPace)
    happen('more', { count: 3, packIds: ['7'] })
    expect(paceOf(keys.pack('7'))).toBe(sharedPace)
  })

  it('appears in the last sales, and is announced above matching trades', () => {
    const { client, happen } = market()
    const trades = (filter: object) => [...keys.publicTrades, filter]
    const known = { inventoryId: 'z', at: '2026-01-02T03:04:05.000001Z' } as Trade
    show(client, keys.lastSales, [known])
    show(client, trades({}), page())
    show(client, trades({ kind: 'bid' }), page())
    happen('sale', sold('a'))
    happen('sale', sold('z'))
    expect(client.getQueryData(keys.lastSales)).toMatchObject([{ itemName: listedItem.name, priceCents: 1000 }, known])
    const fresh = (filter: object) => client.getQueryData<InfiniteData<Page<object>>>(trades(filter))?.pages[0]?.newIds
    expect([fresh({}), fresh({ kind: 'bid' })]).toEqual([['1', '2'], undefined])
  })

  it('refetches leaderboards and statistics', () => {
    const { happen, paceOf } = market()
    happen('leaderboard', {})
    happen('book', { itemId: 'pkm-001', inventoryId: '' })
    happen('book', { itemId: '', inventoryId: '' })
    for (const key of [keys.leaderboard, keys.itemBook('pkm-001'), keys.itemBooks, keys.openBids])
      expect(paceOf(key)).toBe(sharedPace)
  })

  it('updates an item wherever it is shown', () => {
    const { happen, paceOf } = market()
    happen('item', { itemId: 'pkm-001' })
    for (const key of [keys.item('pkm-001'), keys.packs, keys.marketplace, keys.watchlist, keys.inventory, keys.sets])
      expect(paceOf(key)).toBe(sharedPace)
    expect(paceOf(keys.item('pkm-002'))).toBeUndefined()
  })

  it('a reset refetches everything', () => {
    const { happen, paceOf } = market()
    happen('reset', {})
    for (const key of [keys.marketplace, keys.wallet, keys.recentPulls, keys.items, keys.packs])
      expect(paceOf(key)).toBe(sharedPace)
  })
})
