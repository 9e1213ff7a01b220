import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { describe, expect, it } from 'vitest'
import * as t from '@/i18n/texts/en'
import { collection, states, vault } from '@/features/inventory/texts/en'
import { value } from '@/features/inventory/value/texts/en'
import { market } from '@/features/market/texts/en'
import { sets } from '@/features/sets/texts/en'
import { dollars } from '@/lib/format'
import { someEntry } from '@test/data'
import { renderPage, signedIn } from '@test/render-page'
import { type Answers, stubApi } from '@test/stub-api'

const summary = { count: 3, valueCents: 40_000, listed: 0, rarities: 1, vaultedCount: 2, vaultedValueCents: 1501 }
const tab = (name: string) => screen.findByRole('tab', { name })
const queriesOf = (seen: Request[], path: string) =>
  seen.map(({ url }) => new URL(url)).filter(({ pathname }) => pathname === path)

function stubCollection(more: Answers = {}) {
  return stubApi({
    'GET /api/inventory/summary': { body: summary },
    'GET /api/inventory/me': { body: [] },
    ...more,
  })
}

describe('the cards', () => {
  it('say in plain words where they are', async () => {
    const entries = [
      someEntry('a', { state: 'listed', forSale: true, salePriceCents: 100 }),
      someEntry('b', { state: 'claimed' }),
      someEntry('c', { state: 'giving' }),
      someEntry('d'),
      someEntry('e', { vaulted: false }),
    ]
    stubCollection({ 'GET /api/inventory/me': { body: entries } })
    renderPage('/my-collection', signedIn)
    const shown = await screen.findAllByRole('article')
    const words = [states.listed, states.shipping, states.giving, 'In vault']
    for (const [at, article] of shown.entries()) {
      for (const [word, text] of words.entries()) {
        const found = within(article).queryAllByText(text)
        expect(found).toHaveLength(word === at ? 1 : 0)
      }
    }
  })

  it('show what was paid and the profit; a gift cost nothing', async () => {
    const { item } = someEntry('a')
    const entries = [
      someEntry('a', { item: { ...item, baseValueCents: 1000 }, paidCents: 250 }),
      someEntry('b', { item: { ...item, baseValueCents: 1000 }, paidCents: 2500, acquiredFrom: 'market' }),
      someEntry('c', { item: { ...item, baseValueCents: 1000 }, paidCents: 0, acquiredFrom: 'gift' }),
    ]
    stubCollection({ 'GET /api/inventory/me': { body: entries } })
    renderPage('/my-collection', signedIn)
    const shown = await screen.findAllByRole('article')
    const facts = (label: string) => shown.map((article) => within(article).getByText(label).nextSibling?.textContent)
    const sources = [
      collection.source.pack('Pokemon', '$2.50'),
      collection.source.bought('$25.00'),
      collection.source.gift,
    ]
    for (const [at, source] of sources.entries()) expect(within(shown[at]!).getByText(source)).toBeVisible()
    expect(facts(collection.profit)).toEqual(['+$7.50', '−$15.00', '+$10.00'])
  })

  it('are filtered by the bar and the tab together, and the URL keeps both', async () => {
    const seen = stubCollection()
    const { history } = renderPage('/my-collection?tab=Rare&sortBy=name&rarity=Epic', signedIn)
    expect(await screen.findByText(vault.noMatchTitle)).toBeVisible()
    await userEvent.selectOptions(screen.getByRole('combobox', { name: market.filter.category }), 'pokemon')
    await waitFor(() => expect(history.location.search).toBe('?tab=Rare&series=pokemon&sortBy=name'))
    await userEvent.click(await tab(states.shipping))
    await waitFor(() => expect(history.location.search).toContain('tab=shipping'))
    await waitFor(() =>
      expect(queriesOf(seen, '/api/inventory/me').map(({ search }) => search)).toEqual([
        '?sortBy=name&rarity=Rare',
        '?series=pokemon&sortBy=name&rarity=Rare',
        '?series=pokemon&sortBy=name&state=claimed',
      ]),
    )
    await userEvent.click(screen.getAllByRole('button', { name: vault.clearAll }).at(-1)!)
    await waitFor(() => expect(history.location.search).toBe('?tab=shipping'))
    expect(await screen.findByText(collection.emptyTab(states.shipping))).toBeVisible()
    expect(screen.queryByRole('combobox', { name: market.filter.rarity, hidden: true })).not.toBeInTheDocument()
  })

  it('have a tab for grails', async () => {
    const seen = stubCollection()
    renderPage('/my-collection', signedIn)
    await userEvent.click(await tab(t.catalogue.rarities.Grail))
    await waitFor(() => expect(queriesOf(seen, '/api/inventory/me').at(-1)?.search).toBe('?rarity=Grail'))
  })
})

describe('the value over time', () => {
  const days = [
    { day: '2026-03-08', valueCents: 0, paidCents: 0 },
    { day: '2026-03-09', valueCents: 2000, paidCents: 2500 },
    { day: '2026-03-10', valueCents: 3000, paidCents: 2500 },
  ]

  it('compares value and cost by day in a table, from the first card on', async () => {
    stubCollection({ 'GET /api/inventory/value': { body: { firstDay: '2026-03-09', days } } })
    const { history } = renderPage('/my-collection', signedIn)
    await userEvent.click(await tab(collection.viewNames.value))
    await waitFor(() => expect(history.location.search).toBe('?view=value'))
    await userEvent.click(await screen.findByText(value.table))
    const rows = within(screen.getByRole('table', { name: value.title })).getAllByRole('row')
    expect(rows.map((row) => [...row.children].map(({ textContent }) => textContent))).toEqual([
      [value.day, value.value, value.paid, value.profit],
      ['2026-03-10', '$30.00', '$25.00', '+$5.00'],
      ['2026-03-09', '$20.00', '$25.00', '−$5.00'],
    ])
    expect(screen.getByText(value.now).closest('dt')?.nextSibling).toHaveTextContent(dollars(3000))
  })

  it('loads longer periods, and all time from the first card on', async () => {
    const seen = stubCollection({ 'GET /api/inventory/value': { body: { firstDay: '2026-03-09', days } } })
    renderPage('/my-collection?view=value', signedIn)
    await userEvent.selectOptions(await screen.findByRole('combobox', { name: value.range }), 'all')
    await waitFor(() =>
      expect(queriesOf(seen, '/api/inventory/value').map(({ search }) => search)).toEqual(['', '?from=2026-03-09']),
    )
  })

  it('starts with the first card', async () => {
    stubCollection({ 'GET /api/inventory/value': { body: { firstDay: null, days } } })
    renderPage('/my-collection?view=value', signedIn)
    expect(await screen.findByText(value.empty)).toBeVisible()
  })
})

it('the sets are a part of the collection', async () => {
  const pokemon = {
    id: 's',
    series: 'Pokemon',
    name: '',
    cardCount: 9,
    ownedCount: 3,
    duplicateCount: 1,
    imageUrls: [],
  }
  stubCollection({ 'GET /api/sets': { body: [pokemon] } })
  renderPage('/my-collection?view=sets', signedIn)
  const article = await screen.findByRole('article')
  expect(article).toHaveTextContent(sets.wholeSeries)
  expect(article).toHaveTextContent(sets.progress(3, 9))
  expect(article).toHaveTextContent(sets.duplicates(1))
})
