import { act, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, describe, expect, it } from 'vitest'
import { bids } from '@/features/bids/texts/en'
import { item as t } from '@/features/item/texts/en'
import { selling, trade } from '@/features/market/texts/en'
import type { ItemDetail, ItemSale, ItemSales } from '@/contract/types'
import { dismissToast } from '@/lib/toast'
import { expectToast } from '@test/expect-toast'
import { pokemonDetail, someEntry } from '@test/data'
import { renderPage, signedIn, signedOut } from '@test/render-page'
import { notFound, stubApi } from '@test/stub-api'

const charizard = pokemonDetail.showcase[0]!
const detail: ItemDetail = {
  ...charizard,
  sellBackCents: 11_110,
  values: [
    {
      valueCents: 12_345,
      source: 'auctions',
      reason: 'two sales',
      at: '2026-02-03T04:05:06Z',
      countsFrom: '2026-02-04T04:05:06Z',
    },
    {
      valueCents: 10_000,
      source: 'catalogue',
      reason: 'added to the catalogue',
      at: '2026-01-02T03:04:05Z',
      countsFrom: '2026-01-02T03:04:05Z',
    },
  ],
  sales: [{ priceCents: 15_000, at: '2026-02-05T04:05:06Z' }],
  odds: [
    {
      packId: '2',
      packName: 'Pokemon',
      priceCents: 2500,
      itemsPerPack: 1,
      chance: 0.000_25,
      isActive: false,
    },
  ],
  listings: [
    {
      id: 'e1',
      listingId: 'l1',
      salePriceCents: 14_000,
      vaulted: true,
      user: { firstName: '', profileImageUrl: '' },
    },
  ],
}

const sold = (more: Partial<ItemSale>): ItemSale => ({
  kind: 'listing',
  priceCents: 15_000,
  at: new Date(Date.now() - 60_000).toISOString(),
  counted: true,
  ...more,
})
const within30: ItemSales = {
  lastSaleCents: 15_000,
  lastSaleAt: new Date().toISOString(),
  spans: [
    { days: 7, count: 1, medianCents: 15_000, lowCents: 15_000, highCents: 15_000 },
    { days: 30, count: 2, medianCents: 14_000, lowCents: 14_000, highCents: 15_000 },
    { days: 90, count: 2, medianCents: 14_000, lowCents: 14_000, highCents: 15_000 },
    { days: 0, count: 3, medianCents: 14_000, lowCents: 9000, highCents: 15_000 },
  ],
  sales: [
    sold({}),
    sold({ priceCents: 90_000, counted: false }),
    sold({ priceCents: 14_000, at: new Date(Date.now() - 20 * 24 * 60 * 60_000).toISOString() }),
    sold({ priceCents: 9000, at: '2020-02-05T04:05:06Z' }),
  ],
}
const noSales: ItemSales = {
  spans: within30.spans.map(({ days }) => ({ days, count: 0, medianCents: 0, lowCents: 0, highCents: 0 })),
  sales: [],
}

const shows = (item: ItemDetail, sales = within30) => ({
  'GET /api/items/pkm-001': { body: item },
  'GET /api/items/pkm-001/sales': { body: sales },
  'GET /api/items/pkm-001/book': { body: { asks: [], bids: [] } },
})

const part = async (name: string) => within(await screen.findByRole('region', { name }))

const copy = (id: string, state: 'held' | 'listed') => {
  const entry = someEntry(id, { state })
  return { ...entry, item: { ...entry.item, id: charizard.id, name: charizard.name } }
}
const signedInAnswers = (copies: ReturnType<typeof copy>[]) => ({
  'GET /api/inventory/me': { body: copies },
  'GET /api/bids': { body: [] },
  'GET /api/watchlist': { body: [] },
})

beforeEach(dismissToast)

describe('the buttons on top of an item’s page', () => {
  const buyNow = trade.withItem(trade.buyNow('140.00'), charizard.name)

  it('ask signed-out visitors to connect', async () => {
    stubApi(shows(detail))
    renderPage('/item/pkm-001')
    for (const name of [buyNow, bids.place]) {
      await userEvent.click(await screen.findByRole('button', { name }))
      expect(signedOut.connect).toHaveBeenCalled()
    }
    expect(screen.queryByRole('button', { name: trade.sellYours })).not.toBeInTheDocument()
  })

  it('buy the cheapest copy after a second press, then offer the next one', async () => {
    const [cheapest] = detail.listings
    const next = { ...cheapest!, id: 'e2', listingId: 'l2', salePriceCents: 15_000 }
    const answers: Parameters<typeof stubApi>[0] = {
      ...shows({ ...detail, listings: [cheapest!, next] }),
      ...signedInAnswers([]),
      'POST /api/marketplace/buy': { body: { inventoryId: 'e1', priceCents: 14_000, feeCents: 700, balanceCents: 1 } },
    }
    const seen = stubApi(answers)
    renderPage('/item/pkm-001', signedIn)
    const button = await screen.findByRole('button', { name: buyNow })
    await userEvent.click(button)
    answers['GET /api/items/pkm-001'] = { body: { ...detail, listings: [next] } }
    await userEvent.click(
      screen.getByRole('button', { name: trade.withItem(trade.confirmBuy('140.00'), charizard.name) }),
    )
    await expectToast(trade.bought)
    const [sent, ...more] = seen.filter(({ method }) => method === 'POST')
    expect(await sent!.clone().json()).toEqual({ inventoryId: 'e1', listingId: 'l1', expectedPriceCents: 14_000 })
    expect(more).toEqual([])
    expect(
      await screen.findByRole('button', { name: trade.withItem(trade.buyAnother('150.00'), charizard.name) }),
    ).toBeEnabled()
    expect(screen.getByRole('link', { name: trade.viewBought })).toHaveAttribute('href', '/entry/e1')
  })

  it('sell the visitor’s own copy, and don’t sell them their own listing', async () => {
    stubApi({
      ...shows(detail),
      ...signedInAnswers([copy('e1', 'listed'), copy('e9', 'held')]),
      'GET /api/inventory/e9/book': { body: { asks: [], bids: [] } },
    })
    renderPage('/item/pkm-001', signedIn)
    const sell = await screen.findByRole('button', { name: trade.sellYours })
    expect(screen.queryByRole('button', { name: buyNow })).not.toBeInTheDocument()
    await act(() => userEvent.click(sell))
    expect(await screen.findByRole('dialog', { name: trade.sell })).toHaveTextContent(charizard.name)
    expect(screen.getByRole('textbox', { name: selling.price })).toBeVisible()
  })

  it('lead to the listing of a visitor who sells their only copy', async () => {
    stubApi({ ...shows(detail), ...signedInAnswers([copy('e1', 'listed')]) })
    renderPage('/item/pkm-001', signedIn)
    expect(await screen.findByRole('link', { name: trade.yourListing })).toHaveAttribute('href', '/entry/e1')
    expect(screen.queryByRole('button', { name: trade.sellYours })).not.toBeInTheDocument()
  })
})

describe('the page of an item', () => {
  it('describes the item and its value, and links to its certificate', async () => {
    stubApi(shows(detail))
    renderPage('/item/pkm-001')
    const name = await screen.findByRole('heading', { level: 1, name: charizard.name })
    expect(within(name).queryByRole('link')).not.toBeInTheDocument()
    expect(screen.getAllByText(t.facts.baseValue)[0]?.nextSibling).toHaveTextContent('$123.45')
    expect(screen.getByText(t.facts.sellBack).nextSibling).toHaveTextContent('$111.10')
    expect(screen.getByText(t.facts.lowestPrice).nextSibling).toHaveTextContent('140.00')
    expect(screen.getByText(t.facts.lastSale).nextSibling).toHaveTextContent('–')
    expect(await screen.findAllByText('$150.00')).not.toEqual([])
    expect(screen.getByText(t.facts.lastSale).nextSibling).toHaveTextContent('$150.00')
    expect(screen.getByText(t.facts.median('30')).nextSibling).toHaveTextContent('$140.00')
    expect(screen.getByRole('link', { name: /PSA #1000417733/ })).toBeVisible()
    expect(document.title).toContain(charizard.name)
  })

  it('says that a value waits for its announcement', async () => {
    const [waiting, ...earlier] = detail.values
    const { countsFrom: _, ...announcedLater } = waiting!
    stubApi(shows({ ...detail, values: [announcedLater, ...earlier] }))
    renderPage('/item/pkm-001')
    const history = await part(t.values.title)
    expect(history.getByText(t.values.countsLater)).toBeInTheDocument()
    expect(history.queryByText(/Applies to Kaibao’s offers from/)).not.toBeInTheDocument()
  })

  it('links to each pack that contains it, with its chance', async () => {
    stubApi(shows(detail))
    renderPage('/item/pkm-001')
    const row = (await part(t.odds.title)).getByRole('row', { name: /Pokemon/ })
    expect(row).toHaveTextContent('$25.000.025%1 in 4,000')
    expect(row).toHaveTextContent(t.odds.paused)
    expect(within(row).getByRole('link')).toHaveAttribute('href', '/pack/2')
  })

  it('shows who sells one, and links to the listing', async () => {
    stubApi(shows(detail))
    renderPage('/item/pkm-001')
    const listings = await part(t.listings.title)
    expect(listings.getByRole('row', { name: /Anonymous/ })).toHaveTextContent(`${t.listings.vaulted}$140.00`)
    expect(listings.getByRole('link', { name: t.listings.buy })).toHaveAttribute(
      'href',
      '/marketplace?search=1999+pokemon+base+set+4+charizard+holo+psa&sortBy=price-low',
    )
  })

  it('lists its values next to the chart, and when a rise takes effect', async () => {
    stubApi(shows(detail))
    renderPage('/item/pkm-001')
    const [, latest, first] = (await part(t.values.title)).getAllByRole('row')
    expect(latest).toHaveTextContent('two sales (auctions)')
    expect(latest).toHaveTextContent('Feb 4, 2026')
    expect(latest).toHaveTextContent('$123.45')
    expect(first).toHaveTextContent(t.values.added)
    expect(first).not.toHaveTextContent('offers follow')
  })

  it('shows its sales in the chosen period, and which of them don’t count', async () => {
    stubApi(shows(detail))
    renderPage('/item/pkm-001')
    const sales = await part(t.sales.title)
    expect(await sales.findByText('$140.00 – $150.00')).toBeVisible()
    expect(sales.getAllByRole('row').map(({ textContent }) => textContent?.match(/\$.*/)?.[0])).toEqual([
      undefined,
      '$150.00',
      '$900.00',
      '$140.00',
    ])
    expect(sales.getByRole('row', { name: /\$900/ })).toHaveTextContent(t.sales.notCounted)
    await userEvent.selectOptions(sales.getByLabelText(t.sales.within), t.sales.ever)
    expect(sales.getByText('$90.00 – $150.00')).toBeVisible()
    expect(sales.getAllByRole('row')).toHaveLength(5)
    await userEvent.selectOptions(sales.getByLabelText(t.sales.within), t.sales.days('7'))
    expect(sales.getAllByRole('row')).toHaveLength(3)
    expect(sales.getByRole('link', { name: t.sales.more })).toHaveAttribute('href', '/activity?item=pkm-001')
  })

  it('has empty states', async () => {
    stubApi(shows({ ...detail, odds: [], listings: [] }, noSales))
    renderPage('/item/pkm-001')
    for (const text of [t.odds.none, t.listings.none, t.sales.none]) expect(await screen.findByText(text)).toBeVisible()
    expect(screen.queryByText(t.facts.lowestPrice)).not.toBeInTheDocument()
  })

  it('reports an unknown item', async () => {
    stubApi({ 'GET /api/items/none': notFound })
    renderPage('/item/none')
    expect(await screen.findByRole('heading', { level: 1, name: t.unknown })).toBeVisible()
  })
})
