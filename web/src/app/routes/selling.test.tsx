import { act, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { sellBack as t } from '@/features/sellback/texts/en'
import type { InventoryEntry, Quote } from '@/contract/types'
import { someEntry } from '@test/data'
import { renderPage, signedIn } from '@test/render-page'
import { type Answers, stubApi } from '@test/stub-api'
import { expectToast } from '@test/expect-toast'

const worth = (id: string, sellBackCents: number, more: Partial<InventoryEntry> = {}) => {
  const entry = someEntry(id, { sellBackCents, ...more })
  return {
    ...entry,
    item: { ...entry.item, id: `item-${id}`, name: `Card ${id}`, baseValueCents: sellBackCents + 100 },
  }
}
const line = (inventoryId: string, payoutCents: number, floorUntil?: string): Quote => ({
  inventoryId,
  houseCents: payoutCents,
  best: 'house',
  payoutCents,
  ...(floorUntil && { floorUntil }),
})
const quotes = (...lines: Quote[]) => ({
  body: { totalCents: lines.reduce((sum, { payoutCents }) => sum + payoutCents, 0), lines },
})
const receipt = (...lines: [id: string, payoutCents: number][]) => ({
  body: {
    payoutCents: lines.reduce((sum, [, payoutCents]) => sum + payoutCents, 0),
    balanceCents: 1,
    sold: lines.map(([inventoryId, payoutCents]) => ({ inventoryId, payoutCents, to: 'house' })),
  },
})
const refusal = (code: string, details: object) => ({
  status: 409,
  body: { code, message: 'No.', requestId: 'r1', details },
})

/** Shows the vault with these entries. */
function showVault(entries: InventoryEntry[], more: Answers) {
  const answers: Answers = { 'GET /api/vault': { body: entries }, 'GET /api/packs': { body: [] }, ...more }
  const seen = stubApi(answers)
  renderPage('/vault', signedIn)
  return { answers, seen }
}
const bodiesOf = (seen: Request[], path: string) =>
  Promise.all(seen.filter(({ url }) => url.endsWith(path)).map((request) => request.clone().json() as Promise<unknown>))
const dialog = () => screen.findByRole('dialog')
const offered = async (payout: string) => {
  const button = await within(await dialog()).findByRole('button', { name: t.confirm(payout) })
  await waitFor(() => expect(button).toBeEnabled())
  return button
}
const quickSell = async (name: string) => {
  const button = await screen.findByRole('button', { name: new RegExp(`^Quick sell .*: ${name}$`) })
  // Waits for all parts of the dialog that the press opens.
  await act(async () => {
    await userEvent.click(button)
    await Promise.all([import('@/features/sellback/quick-sell-dialog'), import('@/components/ui/dialog-parts')])
  })
}

afterEach(() => vi.useRealTimers())

describe('selling one card', () => {
  it('shows the price, sells for at least that, and reports success', async () => {
    const { seen, answers } = showVault([worth('a', 900)], {
      'POST /api/inventory/quotes': quotes(line('a', 900)),
      'POST /api/inventory/quick-sell': receipt(['a', 900]),
    })
    await quickSell('Card a')
    expect(await dialog()).toHaveAccessibleDescription(t.text(1))
    expect(await dialog()).toHaveAccessibleName(t.title(1))
    const confirm = await offered('$9.00')
    expect(screen.getByText(t.total).nextSibling).toHaveTextContent(/^9\.00/)
    expect(screen.getByText(t.newBalance).nextSibling).toHaveTextContent(/^10,009\.00/)
    expect(screen.getByText(t.floating(1))).toBeVisible()
    answers['GET /api/vault'] = { body: [] }
    await userEvent.click(confirm)
    await expectToast(t.sold('$9.00'), t.soldText(1, 0))
    await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument())
    expect(await bodiesOf(seen, '/quick-sell')).toEqual([{ inventoryIds: ['a'], minPayoutCents: 900 }])
  })

  it('is not offered for listed cards, or for cards without a quote', async () => {
    showVault([worth('a', 900, { state: 'listed', forSale: true }), worth('b', 0), worth('c', 1)], {})
    await screen.findByRole('button', { name: t.quickSellItem('$0.01', 'Card c') })
    expect(screen.getAllByRole('button', { name: /^Quick sell/ })).toHaveLength(1)
  })

  it('reports that the price fell, and asks again with the new price', async () => {
    const { seen, answers } = showVault([worth('a', 900)], {
      'POST /api/inventory/quotes': quotes(line('a', 900)),
      'POST /api/inventory/quick-sell': refusal('price_changed', { payoutCents: 450 }),
    })
    await quickSell('Card a')
    const confirm = await offered('$9.00')
    answers['POST /api/inventory/quotes'] = quotes(line('a', 450))
    await userEvent.click(confirm)
    expect(await screen.findByRole('alert')).toHaveTextContent(t.fell('$9.00', '$4.50'))
    answers['POST /api/inventory/quick-sell'] = receipt(['a', 450])
    await userEvent.click(await offered('$4.50'))
    await expectToast(t.sold('$4.50'))
    expect(await bodiesOf(seen, '/quick-sell')).toEqual([
      { inventoryIds: ['a'], minPayoutCents: 900 },
      { inventoryIds: ['a'], minPayoutCents: 450 },
    ])
  })

  it('shows the best buyer for each card and why, and what changed if the bid is gone', async () => {
    const toBid: Quote = { ...line('a', 931), houseCents: 900, best: 'bid', bestBidCents: 950, bestBidNetCents: 931 }
    const { answers } = showVault([worth('a', 900)], {
      'POST /api/inventory/quotes': quotes(toBid),
      'POST /api/inventory/quick-sell': refusal('price_changed', { payoutCents: 900 }),
    })
    await quickSell('Card a')
    const confirm = await offered('$9.31')
    expect(await dialog()).toHaveTextContent(`${t.buyer.bid} ${t.buyer.bidOverKaibao('$9.50', '$9.31', 2, '$9.00')}`)
    expect(screen.getByText(t.allToKaibao).nextSibling).toHaveTextContent(/^9\.00/)
    expect(screen.queryByRole('alert')).not.toBeInTheDocument()
    answers['POST /api/inventory/quotes'] = quotes({ ...line('a', 900), bestBidCents: 910, bestBidNetCents: 892 })
    await userEvent.click(confirm)
    expect(await screen.findByRole('alert')).toHaveTextContent(t.fell('$9.31', '$9.00'))
    expect(await dialog()).toHaveTextContent(t.buyer.kaibaoOverBid('$9.10', '$8.92', 2))
    expect(screen.queryByText(t.allToKaibao)).not.toBeInTheDocument()
    answers['POST /api/inventory/quick-sell'] = {
      body: { payoutCents: 931, balanceCents: 1, sold: [{ inventoryId: 'a', payoutCents: 931, to: 'bid' }] },
    }
    await userEvent.click(await offered('$9.00'))
    await expectToast(t.sold('$9.31'), t.soldText(0, 1))
  })

  it('reports prices that fail to load, and can be retried', async () => {
    const { answers } = showVault([worth('a', 900)], {
      'POST /api/inventory/quotes': { status: 503, body: { code: 'unavailable', message: 'Later.', requestId: 'r' } },
    })
    await quickSell('Card a')
    const alert = await within(await dialog()).findByRole('alert')
    expect(alert).toHaveTextContent(t.failed)
    answers['POST /api/inventory/quotes'] = quotes(line('a', 900))
    await userEvent.click(within(alert).getByRole('button'))
    await offered('$9.00')
  })

  it('counts down a price’s validity, stops at zero, and then refetches', async () => {
    vi.useFakeTimers({ toFake: ['Date', 'setInterval', 'clearInterval'], now: Date.parse('2026-01-02T00:00:00Z') })
    const { answers, seen } = showVault([worth('a', 900)], {
      'POST /api/inventory/quotes': quotes(line('a', 900, '2026-01-02T00:00:03.000Z')),
    })
    const user = userEvent.setup({ advanceTimers: () => {} })
    await user.click(await screen.findByRole('button', { name: /^Quick sell/ }))
    expect(await screen.findByRole('timer')).toHaveTextContent('0:03')
    expect(within(await dialog()).getByRole('status')).toHaveTextContent(t.lessThanMinutes(1))
    vi.advanceTimersByTime(1000)
    await waitFor(() => expect(screen.getByRole('timer')).toHaveTextContent('0:02'))
    answers['POST /api/inventory/quotes'] = quotes(line('a', 800))
    vi.advanceTimersByTime(2000)
    await waitFor(() => expect(screen.queryByRole('timer')).not.toBeInTheDocument())
    expect(within(await dialog()).getByRole('status')).toHaveTextContent(t.over)
    vi.advanceTimersByTime(1000)
    expect(await screen.findByText(t.floating(1))).toBeVisible()
    expect(await screen.findByRole('alert')).toHaveTextContent(t.fell('$9.00', '$8.00'))
    expect(await bodiesOf(seen, '/quotes')).toHaveLength(2)
  })

  it('uses the server’s clock', async () => {
    const now = Date.now()
    showVault([worth('a', 900)], {
      'POST /api/inventory/quotes': {
        ...quotes(line('a', 900, new Date(now + 3_600_000).toISOString())),
        headers: { Date: new Date(now + 3_000_000).toUTCString() },
      },
    })
    await quickSell('Card a')
    expect(await screen.findByRole('timer')).toHaveTextContent(/^(9|10):\d\d$/)
  })
})

describe('selling several cards', () => {
  const select = async () => userEvent.click(await screen.findByRole('button', { name: t.select }))
  const bar = () => screen.getByRole('region', { name: t.bar })

  it('loads the whole list before it selects all', async () => {
    const pages = [[worth('a', 900), worth('b', 100)], [worth('c', 50)]]
    const { answers } = showVault(pages[0]!, {})
    answers['GET /api/vault'] = { body: pages[0], headers: { 'X-Next-Cursor': 'more' } }
    await select()
    answers['GET /api/vault'] = { body: pages[1] }
    await userEvent.click(within(bar()).getByRole('button', { name: t.all }))
    await waitFor(() => expect(within(bar()).getByRole('status')).toHaveTextContent(t.picked(3)))
    expect(within(bar()).getByRole('button', { name: /^Sell for/ })).toBeEnabled()
  })

  it('selects by value and individually, and drops cards sold elsewhere meanwhile', async () => {
    const { seen, answers } = showVault([worth('a', 900), worth('b', 100), worth('c', 50)], {
      'POST /api/inventory/quotes': quotes(line('b', 100), line('a', 900)),
      'POST /api/inventory/quick-sell': refusal('already_sold', { inventoryIds: ['b'] }),
    })
    await select()
    await userEvent.type(within(bar()).getByRole('textbox', { name: t.belowValue }), '2.01{Enter}')
    expect(within(bar()).getByRole('status')).toHaveTextContent(t.picked(2))
    await userEvent.click(screen.getByRole('checkbox', { name: t.pickItem('Card c', '$0.50') }))
    await userEvent.click(screen.getByRole('checkbox', { name: t.pickItem('Card a', '$9.00') }))
    await userEvent.click(within(bar()).getByRole('button', { name: t.pick('$10.00') }))
    const confirm = await offered('$10.00')
    // The server refuses the set because of one entry; the others are requested again.
    const sold = refusal('already_sold', { inventoryIds: ['b'] })
    let asked = 0
    Object.defineProperty(answers, 'POST /api/inventory/quotes', {
      get: () => (asked++ === 0 ? sold : quotes(line('a', 900))),
    })
    await userEvent.click(confirm)
    expect(await screen.findByRole('alert')).toHaveTextContent(t.leftOut(1, t.why.already_sold))
    answers['POST /api/inventory/quick-sell'] = receipt(['a', 900])
    await userEvent.click(await offered('$9.00'))
    await expectToast(t.sold('$9.00'))
    const sent = (await bodiesOf(seen, '/quick-sell')) as { inventoryIds: string[] }[]
    expect(sent.at(-1)).toEqual({ inventoryIds: ['a'], minPayoutCents: 900 })
  })

  it('splits large sales into several requests, and shows what was sold if one is refused', async () => {
    const entries = Array.from({ length: 101 }, (_, at) => worth(String(at), 10))
    const { seen, answers } = showVault(entries, {})
    answers['POST /api/inventory/quotes'] = quotes(...entries.map(({ id }) => line(id, 10)))
    const inTurn = (call: 'quotes' | 'quick-sell', all: unknown[]) => {
      let at = 0
      Object.defineProperty(answers, `POST /api/inventory/${call}`, { configurable: true, get: () => all[at++] })
    }
    await select()
    await userEvent.click(within(bar()).getByRole('button', { name: t.all }))
    await userEvent.click(within(bar()).getByRole('button', { name: t.pick('$10.10') }))
    const confirm = await offered('$10.10')
    expect(screen.getByText(t.calls(2, 100))).toBeVisible()
    inTurn('quick-sell', [
      receipt(...entries.slice(0, 100).map(({ id }): [string, number] => [id, 10])),
      refusal('price_changed', { payoutCents: 9 }),
    ])
    inTurn(
      'quotes',
      Array.from({ length: 9 }, () => quotes(line('100', 9))),
    )
    await userEvent.click(confirm)
    expect(await screen.findByText(t.partly(100, '$10.00'))).toBeVisible()
    await offered('$0.09')
    const keys = seen
      .filter(({ url }) => url.endsWith('/quick-sell'))
      .map(({ headers }) => headers.get('Idempotency-Key'))
    expect(keys).toEqual([expect.stringMatching(/-0$/), expect.stringMatching(/-1$/)])
    expect(new Set(keys.map((key) => key?.slice(0, 36))).size).toBe(1)
  })
})
