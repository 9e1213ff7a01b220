import { act, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, describe, expect, it } from 'vitest'
import { alerts as t } from '@/features/alerts/texts/en'
import { market } from '@/features/market/texts/en'
import type { Alert, Facets, ItemDetail, ItemSales, SavedSearch, Watch } from '@/contract/types'
import { dismissToast } from '@/lib/toast'
import { pokemonDetail } from '@test/data'
import { renderPage, signedIn, signedOut } from '@test/render-page'
import { stubApi } from '@test/stub-api'
import { expectToast } from '@test/expect-toast'

const charizard = pokemonDetail.showcase[0]!
const detail: ItemDetail = { ...charizard, sellBackCents: 11_110, values: [], sales: [], odds: [], listings: [] }
const sales: ItemSales = {
  spans: [7, 30, 90, 0].map((days) => ({ days, count: 0, medianCents: 0, lowCents: 0, highCents: 0 })),
  sales: [],
}
const itsPage = {
  'GET /api/items/pkm-001': { body: detail },
  'GET /api/items/pkm-001/sales': { body: sales },
  'GET /api/items/pkm-001/book': { body: { asks: [], bids: [] } },
  'GET /api/bids': { body: [] },
  'GET /api/inventory/me': { body: [] },
} as const
const alert = (id: string, more: Partial<Alert>): Alert => ({
  id,
  kind: 'price',
  at: '2026-11-23T10:00:00.000Z',
  read: false,
  ...more,
})

const about = { itemId: charizard.id, itemName: charizard.name, inventoryId: 'e1', priceCents: 1234 }
const nothing = () => new Response(null, { status: 204 })
const press = (button: HTMLElement) => act(() => userEvent.click(button))
const sent = async (seen: Request[], method: string, path: string) => {
  const request = seen.find(({ method: by, url }) => by === method && new URL(url).pathname === path)
  return request && ((await request.clone().json()) as unknown)
}

beforeEach(dismissToast)

describe('alerts', () => {
  it('say what happened, link to it, and are marked as read when viewed', async () => {
    const seen = stubApi({
      'GET /api/alerts': {
        body: [
          alert('3', about),
          alert('2', { ...about, kind: 'listing', search: 'Dragons' }),
          alert('1', { kind: 'ended', read: true }),
          alert('0', { ...about, kind: 'filled', bidId: 'b1', read: true }),
          alert('-1', { ...about, kind: 'filled', read: true }),
        ],
      },
      'POST /api/alerts/read': nothing,
    })
    renderPage('/alerts', signedIn)
    const rows = within(await screen.findByRole('list', { name: t.title })).getAllByRole('article')
    expect(rows.map((row) => within(row).queryByText(t.isNew) !== null)).toEqual([true, true, false, false, false])
    expect(within(rows[0]!).getByText(t.price('$12.34'))).toBeVisible()
    expect(within(rows[0]!).getByRole('link')).toHaveAttribute('href', `/item/${charizard.id}`)
    expect(within(rows[1]!).getByText(t.listing('$12.34', 'Dragons'))).toBeVisible()
    expect(within(rows[1]!).getByRole('link')).toHaveAttribute('href', '/entry/e1')
    expect(within(rows[2]!).getByText(t.ended)).toBeVisible()
    expect(within(rows[3]!).getByText(t.filled('$12.34'))).toBeVisible()
    expect(within(rows[3]!).getByRole('link')).toHaveAttribute('href', '/entry/e1')
    expect(within(rows[4]!).getByText(t.sold('$12.34'))).toBeVisible()
    expect(within(rows[4]!).getByText(t.kinds.sold)).toBeVisible()
    expect(within(rows[4]!).getByRole('link')).toHaveAttribute('href', `/item/${charizard.id}`)
    await waitFor(async () => expect(await sent(seen, 'POST', '/api/alerts/read')).toEqual({ upTo: '3' }))
    expect(within(rows[0]!).getByText(t.isNew)).toBeVisible()
  })

  it('about gifts link to the gifts that were received or given', async () => {
    stubApi({
      'GET /api/alerts': {
        body: [
          alert('2', { ...about, kind: 'gift', giftId: 'g2', giftEvent: 'offered', read: true }),
          alert('1', { ...about, kind: 'gift', giftId: 'g1', giftEvent: 'expired', read: true }),
        ],
      },
    })
    renderPage('/alerts', signedIn)
    const rows = within(await screen.findByRole('list', { name: t.title })).getAllByRole('article')
    expect(within(rows[0]!).getByText(t.gift.offered)).toBeVisible()
    expect(within(rows[0]!).getByRole('link')).toHaveAttribute('href', '/gifts?side=received')
    expect(within(rows[1]!).getByText(t.gift.expired)).toBeVisible()
    expect(within(rows[1]!).getByRole('link')).toHaveAttribute('href', '/gifts?side=given')
  })

  it('are counted at the bell on every page', async () => {
    stubApi({
      'GET /api/alerts': { body: [alert('2', about), alert('1', { ...about, read: true })] },
    })
    renderPage('/roadmap', signedIn)
    expect(await screen.findByRole('link', { name: t.unread('1') })).toHaveAttribute('href', '/alerts')
  })

  it('have an empty state', async () => {
    stubApi({})
    renderPage('/alerts', signedIn)
    expect(await screen.findByText(t.emptyText)).toBeVisible()
    expect(await screen.findByRole('link', { name: t.bell })).toBeVisible()
  })

  it('report a failed load', async () => {
    stubApi({ 'GET /api/alerts': { status: 503, body: { code: 'unavailable', message: 'No.', requestId: 'r1' } } })
    renderPage('/alerts', signedIn)
    expect(await screen.findByRole('heading', { name: t.failed })).toBeVisible()
  })

  it('ask signed-out visitors for a wallet', async () => {
    const seen = stubApi({})
    renderPage('/alerts')
    expect(await screen.findByText(t.signInTitle)).toBeVisible()
    expect(seen.filter(({ url }) => url.includes('/api/alerts'))).toEqual([])
  })
})

const watched: Watch = {
  id: 'w1',
  itemId: charizard.id,
  item: charizard,
  belowCents: 2000,
  lowestCents: null,
  createdAt: '2026-11-23T10:00:00.000Z',
}

describe('the watchlist', () => {
  it('shows watched items, and changes and removes them', async () => {
    const seen = stubApi({
      'GET /api/watchlist': { body: [watched] },
      'POST /api/watchlist': { body: watched },
      'DELETE /api/watchlist/w1': nothing,
    })
    renderPage('/watchlist', signedIn)
    const card = within(await screen.findByRole('list', { name: t.watchlist.list })).getByRole('article')
    expect(card).toHaveTextContent('$20.00')
    expect(card).toHaveTextContent(t.watchlist.notForSale)
    const change = () => press(within(card).getByRole('button', { name: t.watchlist.editItem(charizard.name) }))
    await change()
    const price = await screen.findByRole('textbox', { name: t.watch.price })
    expect(price).toHaveValue('20.00')
    await userEvent.clear(price)
    await press(screen.getByRole('button', { name: t.watch.save }))
    await expectToast(t.watch.saved)
    expect(await sent(seen, 'POST', '/api/watchlist')).toEqual({ itemId: charizard.id })
    await change()
    await press(await screen.findByRole('button', { name: t.watch.remove }))
    await waitFor(() => expect(seen.some(({ method }) => method === 'DELETE')).toBe(true))
  })

  it('is empty at first', async () => {
    stubApi({ 'GET /api/watchlist': { body: [] } })
    renderPage('/watchlist', signedIn)
    expect(await screen.findByText(t.watchlist.emptyText)).toBeVisible()
  })
})

describe('the button of an item', () => {
  it('adds the item to the watchlist with a price', async () => {
    const seen = stubApi({
      ...itsPage,
      'GET /api/watchlist': { body: [] },
      'POST /api/watchlist': { body: watched },
    })
    renderPage('/item/pkm-001', signedIn)
    await press(await screen.findByRole('button', { name: t.watch.watch }))
    const price = await screen.findByRole('textbox', { name: t.watch.price })
    await userEvent.type(price, '5 dollars')
    await press(screen.getByRole('button', { name: t.watch.watch }))
    expect(price).toHaveAccessibleDescription(t.watch.invalidPrice)
    await userEvent.clear(price)
    await userEvent.type(price, '0')
    expect(await screen.findByText(t.watch.invalidPrice)).toBeVisible()
    await userEvent.type(price, '.5')
    await press(screen.getByRole('button', { name: t.watch.watch }))
    await waitFor(async () =>
      expect(await sent(seen, 'POST', '/api/watchlist')).toEqual({ itemId: 'pkm-001', belowCents: 50 }),
    )
  })

  it('shows how the item is watched', async () => {
    stubApi({ ...itsPage, 'GET /api/watchlist': { body: [watched] } })
    renderPage('/item/pkm-001', signedIn)
    expect(await screen.findByRole('button', { name: t.watch.watchingBelow('$20.00') })).toBeVisible()
  })

  it('asks signed-out visitors for a wallet', async () => {
    stubApi(itsPage)
    renderPage('/item/pkm-001')
    await press(await screen.findByRole('button', { name: t.watch.watch }))
    expect(signedOut.connect).toHaveBeenCalled()
  })
})

const facets: Facets = {
  series: [{ value: 'pokemon', count: 1200 }],
  certification: [{ value: 'PSA', count: 7 }],
  rarity: [],
  grade: [{ value: '9', count: 5 }],
}

const search: SavedSearch = {
  id: 's1',
  name: 'Dragons',
  query: 'search=dragon&grade=9',
  alert: false,
  createdAt: '2026-11-23T10:00:00.000Z',
}

describe('the marketplace', () => {
  it('shows next to each filter how many listings match', async () => {
    const seen = stubApi({
      'GET /api/marketplace': { body: [] },
      'GET /api/marketplace/facets': { body: facets },
      'GET /api/saved-searches': { body: [] },
    })
    renderPage('/marketplace?grade=9&sortBy=price-low', signedIn)
    expect(await screen.findByRole('option', { name: 'Pokemon (1,200)' })).toBeInTheDocument()
    expect(screen.getByRole('option', { name: 'CGC (0)' })).toBeInTheDocument()
    expect(screen.getByRole('option', { name: '9 (5)' })).toBeInTheDocument()
    const asked = seen.find(({ url }) => url.includes('/facets'))!
    expect(new URL(asked.url).search).toBe('?grade=9')
    await userEvent.selectOptions(screen.getByRole('combobox', { name: market.filter.rarity }), 'Epic')
    expect(await screen.findByRole('button', { name: market.filter.remove('Epic') })).toBeVisible()
  })

  it('saves a named search, opens it, turns on its alerts, and deletes it', async () => {
    const seen = stubApi({
      'GET /api/marketplace': { body: [] },
      'GET /api/marketplace/facets': { body: facets },
      'GET /api/saved-searches': { body: [search] },
      'POST /api/saved-searches': { body: search },
      'DELETE /api/saved-searches/s1': nothing,
    })
    const { history } = renderPage('/marketplace?series=pokemon&minPrice=5', signedIn)
    await press(await screen.findByRole('button', { name: t.searches.save }))
    await userEvent.type(await screen.findByRole('textbox', { name: t.searches.name }), 'Cheap')
    await press(screen.getByRole('button', { name: t.searches.confirm }))
    await expectToast(t.searches.saved)
    expect(await sent(seen, 'POST', '/api/saved-searches')).toEqual({
      name: 'Cheap',
      query: 'series=pokemon&minPrice=5',
      alert: true,
    })
    seen.length = 0
    await press(await screen.findByRole('button', { name: t.searches.alertOn('Dragons') }))
    const { name, query } = search
    await waitFor(async () =>
      expect(await sent(seen, 'POST', '/api/saved-searches')).toEqual({ name, query, alert: true }),
    )
    await userEvent.click(screen.getByRole('link', { name: 'Dragons' }))
    await waitFor(() => expect(history.location.search).toBe('?search=dragon&grade=9'))
    await press(screen.getByRole('button', { name: t.searches.remove('Dragons') }))
    await waitFor(() => expect(seen.some(({ method }) => method === 'DELETE')).toBe(true))
  })
})
