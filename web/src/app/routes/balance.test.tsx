import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { describe, expect, it } from 'vitest'
import { balance as t } from '@/features/wallet/texts/en'
import type { Transaction } from '@/contract/types'
import { renderPage, signedIn } from '@test/render-page'
import { stubApi } from '@test/stub-api'

function line(id: string, more: Partial<Transaction>): Transaction {
  return {
    id,
    kind: 'open',
    amountCents: -2500,
    balanceCents: 7500,
    refKind: 'open',
    ref: `of-${id}`,
    createdAt: '2026-01-02T03:04:05Z',
    ...more,
  }
}

const all = [
  line('4', { kind: 'sell-back', amountCents: 900, balanceCents: 8900, refKind: 'entry', inventoryId: 'e-4' }),
  line('3', { kind: 'sale', amountCents: 500, balanceCents: 8000, refKind: 'trade', inventoryId: 'e-3' }),
  line('2', {}),
  line('1', { kind: 'deposit', amountCents: 2500, balanceCents: 12_500, refKind: 'deposit' }),
  line('0', { kind: 'sandbox-deposit', amountCents: 10_000, balanceCents: 10_000, refKind: 'gift' }),
]

const list = async () => within(await screen.findByRole('list', { name: t.all })).getAllByRole('listitem')

/** The list's requests, without the chart's. */
const listRequests = (seen: Request[]) =>
  seen
    .map(({ url }) => new URL(url))
    .filter(({ pathname, searchParams }) => pathname.endsWith('/transactions') && !searchParams.has('limit'))
    .map(({ searchParams }) => Object.fromEntries(searchParams))

describe('the balance page', () => {
  it('lists every transaction with the balance after it and a link to its cause', async () => {
    stubApi({ 'GET /api/wallet/transactions': { body: all }, 'GET /api/opens': { body: [] } })
    renderPage('/balance', signedIn)
    const [soldBack, sale, open, deposit, gift] = await list()
    expect(soldBack).toHaveTextContent(/Sold to Kaibao.*\+9\.00.*89\.00/)
    expect(within(soldBack!).getByRole('link')).toHaveAttribute('href', '/entry/e-4')
    expect(within(sale!).getByRole('link')).toHaveAttribute('href', '/entry/e-3')
    expect(within(open!).getByRole('link')).toHaveAttribute('href', '/verify/of-2')
    expect(open).toHaveTextContent(/−25\.00.*75\.00/)
    expect(within(deposit!).getByRole('link', { name: 'Top-up' })).toHaveAttribute('href', '/deposit/of-1')
    expect(within(gift!).queryByRole('link')).not.toBeInTheDocument()
    expect(await screen.findByText(t.overTimeText('5'))).toBeVisible()
  })

  it('requests the filters in its URL and ignores invalid ones', async () => {
    const seen = stubApi({ 'GET /api/wallet/transactions': { body: all }, 'GET /api/opens': { body: [] } })
    renderPage('/balance?kind=sale&from=2026-01-02&to=never', signedIn)
    expect(await list()).toHaveLength(5)
    expect(listRequests(seen)).toEqual([{ kind: 'sale', from: new Date(2026, 0, 2).toISOString() }])
    expect(screen.getByLabelText(t.kind)).toHaveValue('sale')
    expect(screen.getByLabelText(t.from)).toHaveValue('2026-01-02')
    expect(screen.getByLabelText(t.to)).toHaveValue('')
    expect(screen.getByRole('link', { name: t.csv })).toHaveAttribute(
      'href',
      `/api/wallet/transactions?${new URLSearchParams({ kind: 'sale', from: new Date(2026, 0, 2).toISOString(), format: 'csv' }).toString()}`,
    )
  })

  it('keeps the chosen filters in the URL', async () => {
    const seen = stubApi({ 'GET /api/wallet/transactions': { body: all }, 'GET /api/opens': { body: [] } })
    const { history } = renderPage('/balance', signedIn)
    await list()
    await userEvent.selectOptions(screen.getByLabelText(t.kind), t.kinds.trade)
    fireEvent.change(screen.getByLabelText(t.to), { target: { value: '2026-01-05' } })
    await waitFor(() => expect(history.location.search).toBe('?kind=sale&to=2026-01-05'))
    await waitFor(() =>
      expect(listRequests(seen).at(-1)).toEqual({ kind: 'sale', to: new Date(2026, 0, 6).toISOString() }),
    )
  })

  it('has an empty state, and one for a filter without matches', async () => {
    stubApi({ 'GET /api/wallet/transactions': { body: [] } })
    renderPage('/balance?kind=sale', signedIn)
    expect(await screen.findByRole('heading', { name: t.noMatch })).toBeVisible()
    await userEvent.click(screen.getByRole('link', { name: t.showAll }))
    expect(await screen.findByRole('heading', { name: t.empty })).toBeVisible()
    expect(screen.getByText(t.tooFew)).toBeVisible()
  })

  it('asks signed-out visitors to connect and requests nothing', async () => {
    stubApi({})
    renderPage('/balance')
    expect(await screen.findByText(t.signInTitle)).toBeVisible()
  })
})
