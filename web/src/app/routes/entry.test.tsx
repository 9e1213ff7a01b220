import { screen, within } from '@testing-library/react'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { item as texts } from '@/features/item/texts/en'
import type { EntryLife } from '@/contract/types'
import { dollars } from '@/lib/format'
import { someEntry } from '@test/data'
import { renderPage, signedIn } from '@test/render-page'
import { notFound, stubApi } from '@test/stub-api'

const { entry: t, history, facts } = texts

/** No listings and no bids. */
const emptyBooks = {
  'GET /api/inventory/e1/book': { body: { asks: [], bids: [] } },
  'GET /api/inventory/e1/bids': { body: { bids: [] } },
  'GET /api/bids': { body: [] },
} as const

const mine: EntryLife = {
  ...someEntry('e1', { state: 'listed', forSale: true, salePriceCents: 15_000 }),
  own: true,
  listingId: 'l1',
  events: [
    { kind: 'pulled', at: '2026-01-02T03:04:05Z', ref: 'open-1' },
    { kind: 'vaulted', at: '2026-01-02T04:04:05Z' },
    { kind: 'listed', at: '2026-01-02T05:04:05Z', priceCents: 16_000, ref: 'l0' },
    { kind: 'repriced', at: '2026-01-02T06:04:05Z', priceCents: 15_000, ref: 'l1' },
  ],
}

beforeEach(() => {
  vi.setSystemTime('2026-01-02T12:00:00Z')
  return () => void vi.useRealTimers()
})

const events = async () => {
  const region = await screen.findByRole('region', { name: history.title })
  return within(region).getAllByRole('listitem')
}

describe('the page of an entry', () => {
  it('shows its history from the pull on, with a link to the proof', async () => {
    stubApi({ ...emptyBooks, 'GET /api/inventory/e1': { body: mine } })
    renderPage('/entry/e1', signedIn)
    const [pulled, vaulted, listed, repriced] = await events()
    expect(within(pulled!).getByRole('link', { name: history.proof })).toHaveAttribute('href', '/verify/open-1')
    expect(vaulted).toHaveTextContent(history.kinds.vaulted)
    expect(listed).toHaveTextContent(`${history.kinds.listed}$160.00`)
    expect(repriced).toHaveTextContent(`${history.kinds.repriced}$150.00`)
    expect(screen.getByRole('link', { name: t.aboutItem })).toHaveAttribute('href', '/item/pkm-001')
  })

  it('shows its owner the quote, and how long the floor holds', async () => {
    stubApi({ ...emptyBooks, 'GET /api/inventory/e1': { body: mine } })
    renderPage('/entry/e1', signedIn)
    expect((await screen.findByText(facts.sellBack)).nextSibling).toHaveTextContent(/^\$111\.10$/)
    expect(screen.getByText(t.floorUntil).nextSibling).toHaveTextContent('Jan 3, 2026')
    expect(within(screen.getByRole('main')).getByText(t.yours)).toBeVisible()
    expect(screen.getByRole('button', { name: /^Delist/ })).toBeVisible()
  })

  const value = mine.item.baseValueCents
  it.each([
    { change: { paidCents: value + 250 }, paid: dollars(value + 250), profit: '−$2.50' },
    { change: { paidCents: value - 250 }, paid: dollars(value - 250), profit: '+$2.50' },
    { change: { paidCents: 0, acquiredFrom: 'gift' as const }, paid: t.gift, profit: `+${dollars(value)}` },
  ])('shows its owner what it cost and the profit: $paid', async ({ change, paid, profit }) => {
    stubApi({ ...emptyBooks, 'GET /api/inventory/e1': { body: { ...mine, ...change } } })
    renderPage('/entry/e1', signedIn)
    expect((await screen.findByText(t.paid)).nextSibling).toHaveTextContent(paid)
    expect(screen.getByText(t.profit).nextSibling).toHaveTextContent(profit)
  })

  it('doesn’t mention an expired floor', async () => {
    vi.setSystemTime('2026-01-04T12:00:00Z')
    stubApi({ ...emptyBooks, 'GET /api/inventory/e1': { body: mine } })
    renderPage('/entry/e1', signedIn)
    expect((await screen.findByText(facts.sellBack)).nextSibling).toHaveTextContent(/^\$111\.10$/)
    expect(screen.queryByText(t.floorUntil)).not.toBeInTheDocument()
  })

  it('shows others its history, but neither floor nor quote', async () => {
    const [pulled, ...others] = mine.events
    const seen: EntryLife = {
      ...mine,
      own: false,
      sellBackCents: null,
      sellBackUntil: null,
      events: [{ kind: pulled!.kind, at: pulled!.at }, ...others],
    }
    stubApi({ ...emptyBooks, 'GET /api/inventory/e1': { body: seen } })
    renderPage('/entry/e1', signedIn)
    expect(await events()).toHaveLength(4)
    expect(screen.queryByRole('link', { name: history.proof })).not.toBeInTheDocument()
    for (const label of [facts.sellBack, t.floorUntil, t.paid, t.profit])
      expect(screen.queryByText(label)).not.toBeInTheDocument()
    expect(within(screen.getByRole('main')).queryByText(t.yours)).not.toBeInTheDocument()
    expect(screen.queryByRole('button', { name: /^Delist/ })).not.toBeInTheDocument()
  })

  it('shows how Kaibao paid for it in the end', async () => {
    const end = { kind: 'sold-back', at: '2026-01-02T07:04:05Z', priceCents: 11_110, ref: 'floor' } as const
    const ended: EntryLife = {
      ...mine,
      state: 'sold-back',
      salePriceCents: null,
      sellBackCents: null,
      sellBackUntil: null,
      events: [...mine.events, end],
    }
    stubApi({ ...emptyBooks, 'GET /api/inventory/e1': { body: ended } })
    renderPage('/entry/e1', signedIn)
    expect((await events()).at(-1)).toHaveTextContent(/Sold to Kaibao\$111\.10.*at the guaranteed price/)
    expect(screen.getByText(t.state).nextSibling).toHaveTextContent(t.states['sold-back'])
    expect(screen.queryByText(t.where)).not.toBeInTheDocument()
  })

  it('reports an unknown card', async () => {
    stubApi({ 'GET /api/inventory/none': notFound })
    renderPage('/entry/none', signedIn)
    expect(await screen.findByRole('heading', { level: 1, name: t.unknown })).toBeVisible()
    expect(screen.getByText(t.unknownText)).toBeVisible()
  })

  it('asks signed-out visitors to connect and requests nothing', async () => {
    stubApi({})
    renderPage('/entry/e1')
    expect(await screen.findByText(t.signInTitle)).toBeVisible()
  })
})
