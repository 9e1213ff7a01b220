import { act, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import * as en from '@/i18n/texts/en'
import { bids as t, orders as first } from '@/features/bids/texts/en'
import { balance as ledger } from '@/features/wallet/texts/en'
import { trade } from '@/features/market/texts/en'
import type { Bid, PlacedBid } from '@/contract/types'
import { dismissToast } from '@/lib/toast'
import { someEntry } from '@test/data'
import { renderPage, signedIn } from '@test/render-page'
import { stubApi } from '@test/stub-api'
import { expectToast } from '@test/expect-toast'

const { item } = someEntry('a')

/** A bid of $9 for any copy of an item. */
function someBid(more: Partial<Bid> = {}): Bid {
  return {
    id: 'b1',
    scope: { itemId: item.id },
    priceCents: 900,
    quantity: 3,
    left: 2,
    heldCents: 1800,
    state: 'open',
    createdAt: '2026-01-02T03:04:05.678Z',
    expiresAt: '2026-02-01T03:04:05.678Z',
    item,
    ...more,
  }
}

/** Responds with open or ended bids, depending on the requested state. */
const listed = (open: Bid[], ended: Bid[] = []) => {
  let asked = 0
  return () => Response.json((asked += 1) % 2 === 1 ? open : ended)
}

const placed: PlacedBid = { ...someBid(), filled: [], receipt: 'r', balanceCents: 1 }
const press = (button: HTMLElement) => act(() => userEvent.click(button))
const bodyOf = async (seen: Request[], method: string) =>
  (await seen
    .find((call) => call.method === method)!
    .clone()
    .json()) as unknown
const row = async (name: string) => {
  const list = await screen.findByRole('region', { name })
  return within(list)
}

beforeEach(dismissToast)

describe('my orders', () => {
  it('asks signed-out visitors for a wallet and requests nothing', async () => {
    stubApi({})
    renderPage('/orders')
    expect(await screen.findByText(first.signInTitle)).toBeVisible()
  })

  it('shows open bids, listings, ended bids, and the total hold', async () => {
    const byCriterion = someBid({
      id: 'b2',
      scope: { series: 'Pokemon', certType: 'PSA', minGrade: 9 },
      pegPercent: 92,
      capCents: 10_000,
    })
    delete byCriterion.item
    delete byCriterion.priceCents
    stubApi({
      'GET /api/bids': listed(
        [someBid(), byCriterion],
        [someBid({ id: 'b3', state: 'withdrawn', endedAt: '2026-01-03T03:04:05Z' })],
      ),
      'GET /api/inventory/me': { body: [someEntry('a', { state: 'listed', forSale: true, salePriceCents: 1999 })] },
      'GET /api/wallet': { body: { displayBalance: 10, balanceCents: 1000, heldCents: 3600 } },
    })
    renderPage('/orders', signedIn)
    const open = await row(t.orders.open)
    const total = await open.findByText(t.orders.openText('2', '36.00'))
    await waitFor(() => expect(total).toBeVisible())
    expect(open.getByText('$9.00')).toBeVisible()
    expect(open.getAllByText(t.order.leftOf(2, 3))[0]).toBeVisible()
    expect(open.getByText('Pokemon · PSA · grade 9+')).toBeVisible()
    expect(open.getByText(t.order.pegged(92, '$100.00'))).toBeVisible()
    const sale = await row(t.orders.listings)
    expect(await sale.findByRole('button', { name: trade.delistItem(item.name) })).toBeVisible()
    expect((await row(t.orders.past)).getByText(t.order.states.withdrawn)).toBeVisible()
    expect(screen.getByText(ledger.held).nextSibling).toHaveTextContent('36.00')
  })

  it('outbids with one click, and keeps quantity and expiry', async () => {
    const seen = stubApi({
      'GET /api/bids': listed([someBid({ outbidCents: 1000 })]),
      'GET /api/inventory/me': { body: [] },
      'PUT /api/bids/b1': { body: placed },
    })
    renderPage('/orders', signedIn)
    expect(await screen.findByText(t.order.outbid('$10.00'))).toBeVisible()
    await userEvent.click(screen.getByRole('button', { name: t.order.raise('$10.25') }))
    await expectToast(t.order.raised)
    expect(await bodyOf(seen, 'PUT')).toEqual({ priceCents: 1025, quantity: 2, expiresAt: '2026-02-01T03:04:05.678Z' })
  })

  it.each([
    ['declined', t.errors.declined_today],
    ['open', t.errors.most_bids(200)],
  ])('names the limit that blocks a bid: %s', async (limit, text) => {
    stubApi({
      'GET /api/bids': listed([someBid({ outbidCents: 1000 })]),
      'GET /api/inventory/me': { body: [] },
      'PUT /api/bids/b1': {
        status: 403,
        body: { code: 'limit_reached', message: 'No.', requestId: 'r1', details: { limit } },
      },
    })
    renderPage('/orders', signedIn)
    await userEvent.click(await screen.findByRole('button', { name: t.order.raise('$10.25') }))
    await expectToast(t.form.notSaved, text)
  })

  it('withdraws a bid and shows the refund', async () => {
    stubApi({
      'GET /api/bids': listed([someBid()]),
      'GET /api/inventory/me': { body: [] },
      'DELETE /api/bids/b1': () => new Response(null, { status: 204 }),
    })
    renderPage('/orders', signedIn)
    await userEvent.click(await screen.findByRole('button', { name: t.order.withdrawOf(item.name) }))
    await expectToast(t.order.withdrawn, t.order.withdrawnText('18.00'))
  })

  it('shows why a bid couldn’t be withdrawn', async () => {
    stubApi({
      'GET /api/bids': listed([someBid()]),
      'GET /api/inventory/me': { body: [] },
      'DELETE /api/bids/b1': { status: 409, body: { code: 'already_filled', message: 'No.', requestId: 'r1' } },
    })
    renderPage('/orders', signedIn)
    await userEvent.click(await screen.findByRole('button', { name: t.order.withdrawOf(item.name) }))
    await expectToast(t.order.withdrawFailed, en.errors.already_filled)
  })

  it('accepts a counter-offer at the price shown', async () => {
    const counter = { priceCents: 1227, until: '2026-01-04T03:04:05.678Z' }
    const seen = stubApi({
      'GET /api/bids': listed([someBid({ scope: { inventoryId: 'a' }, counter })]),
      'GET /api/inventory/me': { body: [] },
      'POST /api/bids/b1/accept-counter': { body: { inventoryId: 'a', priceCents: 1227, balanceCents: 1 } },
    })
    renderPage('/orders', signedIn)
    await userEvent.click(await screen.findByRole('button', { name: t.order.acceptOf('$12.27', item.name) }))
    await expectToast(t.order.accepted)
    expect(await bodyOf(seen, 'POST')).toEqual({ expectedPriceCents: 1227 })
  })

  it('changes a bid in a dialog filled with its current values', async () => {
    const seen = stubApi({
      'GET /api/bids': listed([someBid()]),
      'GET /api/inventory/me': { body: [] },
      'GET /api/items/pkm-001/book': { body: { asks: [], bids: [] } },
      'PUT /api/bids/b1': { body: placed },
    })
    renderPage('/orders', signedIn)
    await press(await screen.findByRole('button', { name: t.order.changeOf(item.name) }))
    const dialog = within(await screen.findByRole('dialog', { name: t.form.change }))
    const price = dialog.getByRole('textbox', { name: t.form.priceCents })
    expect(price).toHaveValue('9.00')
    await userEvent.clear(price)
    await userEvent.type(price, '9.03')
    await userEvent.click(dialog.getByRole('button', { name: t.bid }))
    expect(price).toHaveAccessibleDescription(/in steps of \$0\.05 up to \$10\.00/)
    await userEvent.clear(price)
    await userEvent.type(price, '9,0.5')
    expect(dialog.getByRole('button', { name: t.bid })).toBeVisible()
    await userEvent.clear(dialog.getByLabelText(t.form.quantity))
    await userEvent.clear(price)
    await userEvent.type(price, '9.05')
    expect(dialog.getByRole('button', { name: t.bid })).toBeVisible()
    await userEvent.type(dialog.getByLabelText(t.form.quantity), '2')
    await userEvent.click(dialog.getByRole('button', { name: t.form.send(t.form.times(2, '$9.05')) }))
    await expectToast(t.form.saved)
    expect(await bodyOf(seen, 'PUT')).toEqual({ priceCents: 905, quantity: 2, expiresAt: '2026-02-01T03:04:05.678Z' })
  })

  it('keeps the chosen expiry when the dialog is reopened', async () => {
    vi.useFakeTimers({ now: Date.parse('2026-01-10T12:33:00Z'), toFake: ['Date'] })
    onTestFinished(() => void vi.useRealTimers())
    const seen = stubApi({
      'GET /api/bids': listed([someBid()]),
      'GET /api/inventory/me': { body: [] },
      'GET /api/items/pkm-001/book': { body: { asks: [], bids: [] } },
      'PUT /api/bids/b1': { status: 503, body: { code: 'unavailable', message: 'no', requestId: 'r1' } },
    })
    renderPage('/orders', signedIn)
    for (const times of [1, 2]) {
      await press(await screen.findByRole('button', { name: t.order.changeOf(item.name) }))
      const dialog = within(await screen.findByRole('dialog', { name: t.form.change }))
      await userEvent.selectOptions(dialog.getByLabelText(t.form.days), '90')
      await userEvent.click(dialog.getByRole('button', { name: t.form.send(t.form.times(2, '$9.00')) }))
      await waitFor(() => expect(seen.filter(({ method }) => method === 'PUT')).toHaveLength(times))
      await press(dialog.getByRole('button', { name: t.form.cancel }))
      vi.setSystemTime(Date.now() + 60_000)
    }
    const sent = seen.filter(({ method }) => method === 'PUT')
    const bodies = await Promise.all(sent.map((call) => call.clone().json() as Promise<unknown>))
    const asked = { priceCents: 900, quantity: 2, expiresAt: '2026-04-10T12:30:00.000Z' }
    expect(bodies).toEqual([asked, asked])
    expect(new Set(sent.map((call) => call.headers.get('Idempotency-Key'))).size).toBe(1)
  })
})
