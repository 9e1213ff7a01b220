import { act, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { bulk as t, selling } from '@/features/market/texts/en'
import { sellBack } from '@/features/sellback/texts/en'
import { config } from '@/lib/config'
import type { InventoryEntry } from '@/contract/types'
import { dismissToast } from '@/lib/toast'
import { someEntry } from '@test/data'
import { renderPage, signedIn } from '@test/render-page'
import { type Answers, stubApi } from '@test/stub-api'
import { expectToast } from '@test/expect-toast'

/** An entry of a separate item, with a value of $10. */
function worth(id: string, more: Partial<InventoryEntry> = {}): InventoryEntry {
  const entry = someEntry(id, { sellBackCents: 900, vaulted: false, ...more })
  return { ...entry, item: { ...entry.item, id: `item-${id}`, name: `Card ${id}`, baseValueCents: 1000 } }
}
const listed = (id: string, salePriceCents: number) => worth(id, { state: 'listed', forSale: true, salePriceCents })
const refusal = (code: string, more: object) => ({
  status: 409,
  body: { code, message: 'No.', requestId: 'r1', ...more },
})
const offers = (bids: Record<string, number>) => ({
  body: {
    totalCents: 0,
    lines: Object.entries(bids).map(([inventoryId, bestBidCents]) => ({
      inventoryId,
      houseCents: 900,
      best: 'house',
      payoutCents: 900,
      ...(bestBidCents > 0 && { bestBidCents, bestBidNetCents: bestBidCents }),
    })),
  },
})

/** Shows My collection with all entries selected. */
async function showSelected(entries: InventoryEntry[], more: Answers = {}) {
  const answers: Answers = {
    'GET /api/inventory/summary': { body: { count: 1, valueCents: 1, listed: 0, rarities: 1 } },
    'GET /api/inventory/me': { body: entries },
    ...more,
  }
  const seen = stubApi(answers)
  renderPage('/my-collection', signedIn)
  await userEvent.click(await screen.findByRole('button', { name: sellBack.select }))
  await userEvent.click(screen.getByRole('button', { name: sellBack.all }))
  return { answers, seen }
}

/** Waits for the dialog that a press opens in a transition, which `userEvent` alone doesn't. */
const press = async (name: string) => {
  const button = await screen.findByRole('button', { name })
  await act(() => userEvent.click(button))
}
const dialog = () => screen.findByRole('dialog')
const rows = async () => within(await dialog()).getAllByRole('listitem')
const sentTo = async (seen: Request[], path: string) => {
  const sent = seen.filter(({ url }) => url.endsWith(path)).map((request) => request.clone().json() as Promise<unknown>)
  return Promise.all(sent)
}
async function typeRule(rule: keyof typeof t.rules, text: string) {
  await userEvent.selectOptions(await screen.findByRole('combobox', { name: t.rule }), t.rules[rule])
  const field = screen.getByRole('textbox', { name: t.typed[rule] })
  await userEvent.clear(field)
  if (text) await userEvent.type(field, text)
}

beforeEach(dismissToast)
afterEach(() => {
  config.rates.announced = []
})

describe('listing several cards', () => {
  it('names an announced change of the listing fee, or of the bid fee if bids take all', async () => {
    config.rates.announced = [{ listing: 450, bid: 150, counter: 500, effectiveAt: '2126-03-04T12:00:00.000Z' }]
    await showSelected([worth('a'), worth('b')], { 'POST /api/inventory/quotes': offers({ a: 0, b: 1150 }) })
    await press(t.buttons.list(2))
    await typeRule('each', '11')
    expect(await within(await dialog()).findByText(/^Listings: .*Mar 4, 2126.*4\.5%/)).toBeVisible()
    expect(await within(await dialog()).findByText(/^Sales to bids: .*Mar 4, 2126.*1\.5%/)).toBeVisible()
    await typeRule('share', '120')
    expect(within(await dialog()).getByText(/4\.5%/)).toBeVisible()
    expect(within(await dialog()).queryByText(/1\.5%/)).not.toBeInTheDocument()
  })

  it('shows each price and which cards a bid takes at once, and lists all in one request', async () => {
    const { seen } = await showSelected([worth('a'), worth('b')], {
      'POST /api/inventory/quotes': offers({ a: 0, b: 1150 }),
      'POST /api/marketplace/list-many': {
        body: {
          entries: [listed('a', 1100)],
          sold: [{ inventoryId: 'b', priceCents: 1150, feeCents: 23, balanceCents: 1127 }],
          balanceCents: 1127,
        },
      },
    })
    await press(t.buttons.list(2))
    await typeRule('share', '110')
    const [first, second] = await rows()
    expect(first).toHaveTextContent(`${t.value('$10.00')}$11.00`)
    await waitFor(() => expect(second).toHaveTextContent(t.toBid('$11.50', '$11.27')))
    expect(screen.getByText(t.total).nextSibling).toHaveTextContent('$22.00')
    await userEvent.click(screen.getByRole('button', { name: t.confirm.list(2) }))
    await expectToast(t.done.list(1), t.sold(1, '$11.27'))
    expect(await sentTo(seen, '/list-many')).toEqual([
      {
        lines: [
          { inventoryId: 'a', priceCents: 1100 },
          { inventoryId: 'b', priceCents: 1100 },
        ],
      },
    ])
    await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument())
    expect(screen.getByText(sellBack.picked(0))).toBeVisible()
  })

  it('shows which line was refused, and continues without it', async () => {
    const { seen, answers } = await showSelected([worth('a'), worth('b')], {
      'POST /api/inventory/quotes': offers({ a: 0, b: 0 }),
      'POST /api/marketplace/list-many': refusal('already_listed', { fields: { 'lines[1]': 'is for sale' } }),
    })
    await press(t.buttons.list(2))
    await userEvent.click(await screen.findByRole('button', { name: t.confirm.list(2) }))
    expect(await screen.findByRole('alert')).toHaveTextContent(t.wrong)
    expect((await rows())[1]).toHaveTextContent(selling.errors.already_listed)
    expect(screen.queryByRole('button', { name: t.confirm.list(2) })).not.toBeInTheDocument()
    await userEvent.click(screen.getByRole('button', { name: t.leaveOut(1) }))
    answers['POST /api/marketplace/list-many'] = {
      body: { entries: [listed('a', 1000)], sold: [], balanceCents: 0 },
    }
    await userEvent.click(screen.getByRole('button', { name: t.confirm.list(1) }))
    await expectToast(t.done.list(1))
    expect((await sentTo(seen, '/list-many')).at(-1)).toEqual({ lines: [{ inventoryId: 'a', priceCents: 1000 }] })
  })

  it('asks to confirm prices far from the value, and sends them again when confirmed', async () => {
    const { seen } = await showSelected([worth('a'), worth('b')], {
      'POST /api/inventory/quotes': offers({ a: 0, b: 0 }),
      'POST /api/marketplace/list-many': refusal('confirm_price', {
        details: { lines: [{ inventoryId: 'b', valueCents: 1000, houseCents: 900 }] },
      }),
    })
    await press(t.buttons.list(2))
    await typeRule('each', '8')
    await userEvent.click(screen.getByRole('button', { name: t.confirm.list(2) }))
    expect(await screen.findByRole('alert')).toHaveTextContent(t.far(1))
    expect((await rows())[1]).toHaveTextContent(t.farBelow('$9.00'))
    await userEvent.click(screen.getByRole('button', { name: t.confirmFar }))
    await waitFor(async () => expect(await sentTo(seen, '/list-many')).toHaveLength(2))
    expect((await sentTo(seen, '/list-many')).at(-1)).toEqual({
      lines: [
        { inventoryId: 'a', priceCents: 800 },
        { inventoryId: 'b', priceCents: 800, confirmedCents: 800 },
      ],
    })
  })

  it.each(['', '0', '-4', '1e20', '1000000.01'])('rejects the price “%s” without a request', async (text) => {
    const { seen } = await showSelected([worth('a')], { 'POST /api/inventory/quotes': offers({ a: 0 }) })
    await press(t.buttons.list(1))
    await typeRule('each', text)
    await userEvent.click(screen.getByRole('button', { name: t.confirm.list(1) }))
    await expectToast('Invalid Price', 'Please enter a valid price.')
    expect(await sentTo(seen, '/list-many')).toEqual([])
  })
})

describe('listed cards', () => {
  it('are repriced by an amount', async () => {
    const { seen } = await showSelected([worth('h'), listed('a', 1500), listed('b', 2000)], {
      'POST /api/marketplace/reprice-many': {
        body: { entries: [listed('a', 1350), listed('b', 1850)], sold: [], balanceCents: 0 },
      },
    })
    await press(t.buttons.reprice(2))
    await typeRule('by', '-1.5')
    expect((await rows()).map(({ textContent }) => textContent)).toEqual([
      expect.stringContaining(`$13.50${t.was('$15.00')}`),
      expect.stringContaining(`$18.50${t.was('$20.00')}`),
    ])
    await userEvent.click(screen.getByRole('button', { name: t.confirm.reprice(2) }))
    await expectToast(t.done.reprice(2))
    expect(await sentTo(seen, '/reprice-many')).toEqual([
      {
        lines: [
          { inventoryId: 'a', priceCents: 1350 },
          { inventoryId: 'b', priceCents: 1850 },
        ],
      },
    ])
  })

  it('are delisted, a hundred per request', async () => {
    const all = Array.from({ length: 101 }, (_, at) => listed(String(at), 1500))
    const { seen } = await showSelected(all, {
      'POST /api/marketplace/delist-many': {
        body: { entries: all.slice(0, 100).map(({ id }) => worth(id)), sold: [], balanceCents: 0 },
      },
    })
    await press(t.buttons.delist(101))
    expect(await dialog()).toHaveTextContent(t.first(100, 101))
    await userEvent.click(screen.getByRole('button', { name: t.confirm.delist(100) }))
    await expectToast(t.done.delist(100))
    const [sent] = (await sentTo(seen, '/delist-many')) as { lines: unknown[] }[]
    expect(sent!.lines).toHaveLength(100)
    expect(sent!.lines[0]).toEqual({ inventoryId: '0' })
    expect(screen.getByText(sellBack.picked(1))).toBeVisible()
  })
})

it('sells duplicates after the dialog shows each, and keeps the listed one', async () => {
  const copy = (id: string, more: Partial<InventoryEntry>) => ({ ...worth(id, more), item: worth('same').item })
  stubApi({
    'GET /api/inventory/summary': { body: { count: 1, valueCents: 1, listed: 0, rarities: 1 } },
    'GET /api/inventory/me': {
      body: [copy('a', {}), copy('b', { state: 'listed', salePriceCents: 1500 }), copy('c', { vaulted: true })],
    },
    'POST /api/inventory/quotes': offers({ a: 0, c: 0 }),
  })
  renderPage('/my-collection', signedIn)
  await userEvent.click(await screen.findByRole('button', { name: sellBack.select }))
  await press(sellBack.duplicates)
  expect(await screen.findByRole('dialog', { name: sellBack.title(2) })).toBeVisible()
  expect(await screen.findByRole('button', { name: sellBack.confirm('$18.00') })).toBeEnabled()
})
