import { screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { describe, expect, it } from 'vitest'
import { item as t } from '@/features/item/texts/en'
import type { ItemDetail, ItemSale, ItemSales } from '@/contract/types'
import { pokemonDetail } from '@test/data'
import { renderPage } from '@test/render-page'
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

describe('the page of an item', () => {
  it('describes the item and its value, and links to its certificate', async () => {
    stubApi(shows(detail))
    renderPage('/item/pkm-001')
    const name = await screen.findByRole('heading', { level: 1, name: charizard.name })
    expect(within(name).queryByRole('link')).not.toBeInTheDocument()
    expect(screen.getAllByText(t.facts.baseValue)[0]?.nextSibling).toHaveTextContent('$123.45')
    expect(screen.getByText(t.facts.sellBack).nextSibling).toHaveTextContent('$111.10')
    expect(screen.getByText(t.facts.lowestPrice).nextSibling).toHaveTextContent('$140.00')
    expect((await screen.findByText(t.facts.lastSale)).nextSibling).toHaveTextContent('$150.00')
    expect(screen.getByRole('link', { name: /PSA #1000417733/ })).toBeVisible()
    expect(document.title).toContain(charizard.name)
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
