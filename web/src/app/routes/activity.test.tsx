import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { describe, expect, it } from 'vitest'
import { activity as t } from '@/features/activity/texts/en'
import type { Trade } from '@/contract/types'
import { renderPage, signedIn } from '@test/render-page'
import { stubApi } from '@test/stub-api'

function trade(id: string, more: Partial<Trade> = {}): Trade {
  return {
    id,
    kind: 'listing',
    at: '2026-01-02T03:04:05Z',
    itemId: 'pkm-001',
    itemName: 'Charizard',
    imageUrl: '/media/items/pkm-001.svg',
    inventoryId: `e-${id}`,
    priceCents: 12_345,
    ...more,
  }
}

const all = [trade('2', { kind: 'sell-back', priceCents: 900 }), trade('1')]

const list = async () => within(await screen.findByRole('list', { name: t.all })).getAllByRole('listitem')

const askedOf = (seen: Request[], path: string) =>
  seen
    .map(({ url }) => new URL(url))
    .filter(({ pathname }) => pathname === path)
    .map(({ searchParams }) => Object.fromEntries(searchParams))

describe('the activity page', () => {
  it('lists trades with links to their items', async () => {
    stubApi({ 'GET /api/activity': { body: all } })
    renderPage('/activity')
    const [back, sale] = await list()
    expect(back).toHaveTextContent(/Sold to Kaibao.*Jan 2, 2026.*\$9\.00/)
    expect(sale).toHaveTextContent(/Charizard.*Listing sale.*\$123\.45/)
    expect(within(sale!).getByRole('link', { name: 'Charizard' })).toHaveAttribute('href', '/item/pkm-001')
  })

  it('requests the filters in its URL and ignores invalid ones', async () => {
    const seen = stubApi({ 'GET /api/activity': { body: all } })
    renderPage('/activity?kind=bid&series=pokemon&item=pkm-001&mine=perhaps')
    await list()
    expect(askedOf(seen, '/api/activity')).toEqual([{ itemId: 'pkm-001', series: 'pokemon', kind: 'bid' }])
    expect(screen.getByLabelText(t.kind)).toHaveValue('bid')
    expect(screen.getByLabelText(t.series)).toHaveValue('pokemon')
    expect(screen.getByRole('link', { name: t.csv })).toHaveAttribute(
      'href',
      '/api/activity?itemId=pkm-001&series=pokemon&kind=bid&format=csv',
    )
    expect(screen.getByTitle(t.allItems)).toHaveTextContent(t.ofItem('Charizard'))
    await userEvent.click(screen.getByTitle(t.allItems))
    await waitFor(() => expect(askedOf(seen, '/api/activity').at(-1)).toEqual({ series: 'pokemon', kind: 'bid' }))
  })

  it('keeps the chosen filters in the URL', async () => {
    const seen = stubApi({
      'GET /api/activity': { body: all },
      'GET /api/activity/me': { body: [trade('3', { side: 'bought' })] },
    })
    const { history } = renderPage('/activity', signedIn)
    await list()
    await userEvent.selectOptions(screen.getByLabelText(t.scope), t.mine)
    await userEvent.selectOptions(screen.getByLabelText(t.kind), t.kinds.listing)
    await waitFor(() => expect(history.location.search).toBe('?kind=listing&mine=true'))
    await waitFor(() => expect(askedOf(seen, '/api/activity/me').at(-1)).toEqual({ kind: 'listing' }))
    expect((await list())[0]).toHaveTextContent(`${t.sides.bought} · ${t.kinds.listing}`)
    expect(screen.getByRole('link', { name: t.csv })).toHaveAttribute(
      'href',
      '/api/activity/me?kind=listing&format=csv',
    )
  })

  it('has an empty state, and one for a filter without matches', async () => {
    stubApi({ 'GET /api/activity': { body: [] } })
    renderPage('/activity?kind=bid')
    expect(await screen.findByRole('heading', { name: t.noMatch })).toBeVisible()
    await userEvent.click(screen.getByRole('link', { name: t.showAll }))
    expect(await screen.findByRole('heading', { name: t.empty })).toBeVisible()
    expect(screen.getByRole('link', { name: t.toMarket })).toBeVisible()
  })

  it('reports a failed load', async () => {
    stubApi({ 'GET /api/activity': { status: 500, body: { code: 'internal', message: 'x', requestId: 'r1' } } })
    renderPage('/activity')
    expect(await screen.findByText(t.failed)).toBeVisible()
  })

  it('asks signed-out visitors to connect to see their own, and requests nothing', async () => {
    stubApi({})
    renderPage('/activity?mine=true')
    expect(await screen.findByText(t.signInTitle)).toBeVisible()
  })
})
