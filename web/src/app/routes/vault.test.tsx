import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { describe, expect, it } from 'vitest'
import * as en from '@/i18n/texts/en'
import { cards, vault } from '@/features/inventory/texts/en'
import { market } from '@/features/market/texts/en'
import type { InventorySummary, VaultCard } from '@/contract/types'
import { someEntry } from '@test/data'
import { renderPage, signedIn } from '@test/render-page'
import { stubApi } from '@test/stub-api'
import { expectToast } from '@test/expect-toast'

const charizard = someEntry('').item
const entry = someEntry

const card = (id: string): VaultCard => ({
  id,
  itemName: charizard.name,
  series: 'Pokemon',
  rarity: 'Epic',
  value: 123.45,
  baseValueCents: 12_345,
  packName: 'Pokemon',
  itemId: charizard.id,
  imageUrl: charizard.imageUrl,
  state: 'held',
  sellBackCents: 11_110,
})

const summary: InventorySummary = {
  count: 3,
  valueCents: 40_000,
  listed: 0,
  rarities: 1,
  vaultedCount: 2,
  vaultedValueCents: 1501,
}
const wallet = { 'GET /api/wallet': { body: { displayBalance: 0, balanceCents: 0 } } }
const refusal = { status: 503, body: { code: 'unavailable', message: 'Come back later.', requestId: 'r1' } }
const queriesOf = (seen: Request[]) =>
  seen
    .map(({ url }) => new URL(url))
    .filter(({ pathname }) => pathname === '/api/vault')
    .map(({ search }) => search)

describe('the vault', () => {
  it('needs a wallet, and requests nothing without one', async () => {
    const seen = stubApi({})
    renderPage('/vault')
    expect(await screen.findByText(vault.signInTitle)).toBeVisible()
    expect(queriesOf(seen)).toEqual([])
  })

  it('shows each item with its description, certificate link and value', async () => {
    stubApi({ 'GET /api/vault': { body: [entry('a'), entry('b')] } })
    renderPage('/vault', signedIn)
    const list = await screen.findByRole('list', { name: vault.list })
    expect(within(list).getAllByRole('listitem')).toHaveLength(2)
    const first = within(list).getAllByRole('article')[0]!
    expect(within(first).getByRole('img', { name: charizard.name })).toBeVisible()
    expect(within(first).getByText('Epic')).toBeVisible()
    expect(within(first).getByText('Grade 9')).toBeVisible()
    expect(within(first).getByRole('link', { name: 'PSA #1000417733' })).toHaveAttribute(
      'href',
      'https://www.psacard.com/cert/1000417733',
    )
    expect(within(first).getByText(vault.baseValue).nextSibling).toHaveTextContent('$123.45')
    expect(await within(first).findByRole('button', { name: `Quick sell $111.10: ${charizard.name}` })).toBeVisible()
  })

  it('has an empty state', async () => {
    stubApi({ 'GET /api/vault': { body: [] } })
    renderPage('/vault', signedIn)
    expect(await screen.findByRole('heading', { name: 'Coming Soon' })).toBeVisible()
    expect(screen.getByText('Start opening packs to quick sell, manage and claim.')).toBeVisible()
  })

  it('reports a failed load, and can be retried', async () => {
    const answers: Parameters<typeof stubApi>[0] = { ...wallet, 'GET /api/vault': refusal }
    stubApi(answers)
    renderPage('/vault', signedIn)
    const alert = await screen.findByRole('alert')
    expect(alert).toHaveTextContent('Failed to fetch vault items')
    answers['GET /api/vault'] = { body: [entry('a')] }
    await userEvent.click(within(alert).getByRole('button', { name: en.shell.tryAgain }))
    expect(await screen.findByRole('list', { name: vault.list })).toBeVisible()
  })
})

describe('the filter bar', () => {
  it('requests the filters in the URL, and drops invalid ones', async () => {
    const seen = stubApi({ 'GET /api/vault': { body: [] } })
    renderPage('/vault?series=onepiece&grade=9&minPrice=-3&sortBy=colour&search=1999', signedIn)
    expect(await screen.findByText(vault.noMatchText)).toBeVisible()
    expect(queriesOf(seen)).toEqual(['?search=1999&series=onepiece&grade=9'])
    expect(screen.getByRole('combobox', { name: market.filter.category })).toHaveValue('onepiece')
    expect(screen.getByRole('searchbox')).toHaveValue('1999')
    expect(screen.getByRole('combobox', { name: market.filter.minGrade })).toHaveValue('9')
  })

  it('puts every choice into the URL', async () => {
    stubApi({ 'GET /api/vault': { body: [entry('a')] } })
    const { history } = renderPage('/vault', signedIn)
    await userEvent.selectOptions(await screen.findByRole('combobox', { name: market.filter.category }), 'Labubu')
    await userEvent.selectOptions(screen.getByRole('combobox', { name: market.filter.sort }), 'Price: high to low')
    expect(screen.queryByRole('combobox', { name: market.filter.grader })).not.toBeInTheDocument()
    await userEvent.click(screen.getByRole('button', { name: market.filter.advanced, expanded: false }))
    await userEvent.selectOptions(screen.getByRole('combobox', { name: market.filter.grader }), 'CGC')
    await userEvent.selectOptions(screen.getByRole('combobox', { name: market.filter.minGrade }), '10')
    await userEvent.type(screen.getByRole('textbox', { name: market.filter.minPrice }), '12.7{Enter}')
    await userEvent.type(screen.getByRole('textbox', { name: market.filter.maxPrice }), '300')
    await userEvent.type(screen.getByRole('searchbox'), ' blue eyes {Enter}')
    await waitFor(() =>
      expect(Object.fromEntries(new URLSearchParams(history.location.search))).toEqual({
        series: 'labubu',
        sortBy: 'price-high',
        certification: 'CGC',
        grade: '10',
        minPrice: '12',
        maxPrice: '300',
        search: 'blue eyes',
      }),
    )
    await userEvent.clear(screen.getByRole('textbox', { name: market.filter.minPrice }))
    await waitFor(() => expect(history.location.search).not.toContain('minPrice'))
  })

  it('clears one filter by its chip, and all filters at once', async () => {
    stubApi({ 'GET /api/vault': { body: [] } })
    const { history } = renderPage('/vault?series=pokemon&certification=PSA&sortBy=name&maxPrice=2500', signedIn)
    const chips = await screen.findByRole('list', { name: market.filter.active })
    expect(
      within(chips)
        .getAllByRole('button')
        .map(({ textContent }) => textContent),
    ).toEqual(['Pokemon', 'PSA', 'Up to $2,500'])
    await userEvent.click(within(chips).getByRole('button', { name: market.filter.remove('PSA') }))
    await waitFor(() => expect(history.location.search).toBe('?series=pokemon&sortBy=name&maxPrice=2500'))
    await userEvent.click(screen.getAllByRole('button', { name: market.filter.clearAll })[0]!)
    await waitFor(() => expect(history.location.search).toBe(''))
    expect(await screen.findByRole('heading', { name: 'Coming Soon' })).toBeVisible()
    expect(screen.queryByRole('button', { name: market.filter.clearAll })).not.toBeInTheDocument()
  })
})

describe('the cards', () => {
  it('count an empty vault as worth 0', async () => {
    stubApi({
      'GET /api/inventory/vault': { body: [] },
      'GET /api/inventory/summary': { body: { ...summary, vaultedCount: 0, vaultedValueCents: 0 } },
    })
    renderPage('/my-cards', signedIn)
    expect(await screen.findByRole('heading', { name: 'No Cards Yet' })).toBeVisible()
    await waitFor(() => expect(screen.getByText(cards.avgValue).nextSibling).toHaveTextContent('$0.00'))
  })

  it('show the vault’s cards, with totals over all of them', async () => {
    stubApi({
      'GET /api/inventory/vault': { body: [card('a')] },
      'GET /api/inventory/summary': { body: summary },
    })
    renderPage('/my-cards', signedIn)
    const list = await screen.findByRole('list', { name: cards.list })
    expect(within(list).getAllByRole('listitem')).toHaveLength(1)
    expect(within(list).getByText('From Pokemon')).toBeVisible()
    expect(within(list).getByText('PB')).toBeVisible()
    expect(within(list).getByRole('img', { name: charizard.name })).toBeVisible()
    expect(within(list).getByText('$123.45')).toBeVisible()
    await waitFor(() => expect(screen.getByText(cards.totalCards).nextSibling).toHaveTextContent('2'))
    expect(screen.getByText(cards.totalValue).nextSibling).toHaveTextContent('$15.01')
    expect(screen.getByText(cards.avgValue).nextSibling).toHaveTextContent('$7.51')
  })

  it('report a failed load', async () => {
    stubApi({ ...wallet, 'GET /api/inventory/vault': refusal, 'GET /api/inventory/summary': { body: {} } })
    renderPage('/my-cards', signedIn)
    expect(await screen.findByRole('alert')).toHaveTextContent('Failed to fetch vault items')
  })
})

describe('sending to the vault', () => {
  const keepButton = () => screen.findByRole('button', { name: cards.keepItem(charizard.name) })

  it('is offered for held cards outside the vault', async () => {
    stubApi({
      'GET /api/inventory/summary': { body: summary },
      'GET /api/inventory/me': {
        body: [
          entry('a', { vaulted: false }),
          entry('b'),
          entry('c', { vaulted: false, state: 'listed', forSale: true }),
        ],
      },
    })
    renderPage('/my-collection', signedIn)
    await keepButton()
    const [held, kept, listed] = screen.getAllByRole('article')
    expect(within(held!).queryByText(cards.vaulted)).not.toBeInTheDocument()
    expect(within(kept!).getByText(cards.vaulted)).toBeVisible()
    for (const article of [kept!, listed!])
      expect(within(article).queryByRole('button', { name: /^Send to vault/ })).not.toBeInTheDocument()
  })

  it('sends the entry, reports success, and refetches', async () => {
    const answers: Parameters<typeof stubApi>[0] = {
      'GET /api/inventory/summary': { body: summary },
      'GET /api/inventory/me': { body: [entry('a', { vaulted: false })] },
      'POST /api/inventory/vault': { body: card('a') },
    }
    const seen = stubApi(answers)
    renderPage('/my-collection', signedIn)
    const button = await keepButton()
    answers['GET /api/inventory/me'] = { body: [entry('a')] }
    await userEvent.click(button)
    expect(await screen.findByText(cards.vaulted)).toBeVisible()
    await expectToast('Card Sent to Vault!', `${charizard.name} has been added to your collection.`)
    const post = seen.find(({ method }) => method === 'POST')!
    expect(await post.json()).toEqual({ inventoryId: 'a' })
    expect(post.headers.get('Idempotency-Key')).toMatch(/^[\w-]{36}$/)
  })

  it('reports a failure, and resends the same request', async () => {
    const seen = stubApi({
      'GET /api/inventory/summary': { body: summary },
      'GET /api/inventory/me': { body: [entry('a', { vaulted: false })] },
      'POST /api/inventory/vault': refusal,
    })
    renderPage('/my-collection', signedIn)
    await userEvent.click(await keepButton())
    await expectToast('Error', 'Failed to send card to vault. Please try again.')
    await waitFor(async () => expect(await keepButton()).toBeEnabled())
    await userEvent.click(await keepButton())
    await waitFor(() => expect(seen.filter(({ method }) => method === 'POST')).toHaveLength(2))
    const keys = seen.filter(({ method }) => method === 'POST').map(({ headers }) => headers.get('Idempotency-Key'))
    expect(new Set(keys).size).toBe(1)
  })
})
