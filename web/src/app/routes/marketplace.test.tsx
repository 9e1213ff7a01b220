import { act, fireEvent, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { applyEvents } from '@/api/feed/invalidations'
import { createRefresher } from '@/api/feed/refresher'
import * as en from '@/i18n/texts/en'
import { market, selling, trade } from '@/features/market/texts/en'
import { sellBack } from '@/features/sellback/texts/en'
import type { InventoryEntry, Listing } from '@/contract/types'
import { dismissToast } from '@/lib/toast'
import { someEntry } from '@test/data'
import { renderPage, signedIn, signedOut } from '@test/render-page'
import { stubApi } from '@test/stub-api'
import { expectToast } from '@test/expect-toast'

const held = someEntry('a', { vaulted: false })
const { item } = held
const listed = (id: string, price: number): InventoryEntry =>
  someEntry(id, { state: 'listed', forSale: true, salePriceCents: price })

function listing(id: string, more: Partial<Listing> = {}): Listing {
  return {
    id,
    listingId: `${id} for sale`,
    forSale: true,
    salePriceCents: 1999,
    item,
    user: { firstName: 'Ann', profileImageUrl: '' },
    vaulted: false,
    own: false,
    ...more,
  }
}

/** Order books with bids for the entry a. */
const book = (...bids: number[]) => ({
  'GET /api/inventory/a/book': { body: { asks: [], bids: bids.map((priceCents) => ({ priceCents, count: 1 })) } },
})
const refusal = (status: number, code: string) => ({ status, body: { code, message: 'No.', requestId: 'r1' } })
const bodyOf = async (seen: Request[], path: string) => {
  const sent = seen.find(({ method, url }) => method === 'POST' && new URL(url).pathname === path)
  return (await sent!.clone().json()) as unknown
}
/** Waits for the dialog that a press opens in a transition, which `userEvent` alone doesn't. */
const press = (button: HTMLElement) => act(() => userEvent.click(button))
const buy = (price: string) => trade.withItem(trade.buy(price), item.name)
/** Presses the buy button of the only listing, then confirms its price. */
async function buyListing(): Promise<HTMLElement> {
  const button = await screen.findByRole('button', { name: buy('19.99') })
  await userEvent.click(button)
  await userEvent.click(button)
  return button
}
const cards = async () => within(await screen.findByRole('list', { name: trade.list })).getAllByRole('article')

beforeEach(dismissToast)

describe('the marketplace', () => {
  it('asks signed-out visitors for a wallet, shows eight dimmed placeholders and fetches nothing', async () => {
    const seen = stubApi({})
    renderPage('/marketplace')
    expect(await screen.findByRole('heading', { level: 1, name: 'Market' })).toBeVisible()
    expect(screen.getByText(market.market.signInTitle)).toBeVisible()
    await userEvent.click(screen.getAllByRole('button', { name: market.connectWallet }).at(-1)!)
    expect(signedOut.connect).toHaveBeenCalled()
    expect(screen.getAllByTestId('listing-placeholder')).toHaveLength(8)
    expect(screen.queryByRole('article')).not.toBeInTheDocument()
    expect(seen.filter(({ url }) => /marketplace|saved-searches/.test(url))).toEqual([])
  })

  it('has eight skeletons while it loads', async () => {
    vi.stubGlobal('fetch', () => new Promise(() => {}))
    renderPage('/marketplace', signedIn)
    expect(await screen.findAllByTestId('item-skeleton')).toHaveLength(8)
  })

  it('has an empty state', async () => {
    stubApi({ 'GET /api/marketplace': { body: [] } })
    renderPage('/marketplace', signedIn)
    expect(await screen.findByText(market.connected)).toBeVisible()
    expect(await screen.findByText(market.market.emptyText)).toBeVisible()
  })

  it('says that no listing matches the filters, and clears them', async () => {
    stubApi({ 'GET /api/marketplace': { body: [] } })
    const { history } = renderPage('/marketplace?grade=9', signedIn)
    expect(await screen.findByText(trade.noMatchText)).toBeVisible()
    await userEvent.click(screen.getAllByRole('button', { name: market.filter.clearAll }).at(-1)!)
    expect(history.location.search).toBe('')
  })

  it('reports a failed load', async () => {
    stubApi({ 'GET /api/marketplace': refusal(503, 'unavailable') })
    renderPage('/marketplace', signedIn)
    expect(await screen.findByRole('heading', { name: 'Failed to fetch marketplace items' })).toBeVisible()
  })

  it('shows each listing with its seller, price and value; own listings can’t be bought', async () => {
    const ungraded = { ...item, name: 'Toy', grade: null, certNumber: '' }
    stubApi({
      'GET /api/marketplace': {
        body: [
          listing('a'),
          listing('b', { own: true }),
          listing('c', { item: ungraded, user: { firstName: '', profileImageUrl: '' } }),
        ],
      },
    })
    renderPage('/marketplace', signedIn)
    const [first, own, toy] = await cards()
    expect(within(first!).getByText('Ann')).toBeVisible()
    expect(within(first!).getByText('19.99')).toBeVisible()
    // The player or character and the grade come first.
    expect(within(first!).getByRole('heading', { level: 2 })).toHaveTextContent(/^Charizard Holo$/)
    expect(within(first!).getByRole('link', { name: item.name })).toBeVisible()
    expect(within(first!).getByText('PSA 9 MINT')).toBeVisible()
    expect(within(first!).getByText('1999 Pokemon Base Set #4')).toBeVisible()
    expect(within(first!).getByText('123.45')).toBeVisible()
    expect(within(first!).getByRole('link', { name: /PSA #/ })).toBeVisible()
    expect(within(first!).getByRole('button', { name: buy('19.99') })).toBeEnabled()
    expect(within(own!).getByText(trade.yours)).toBeVisible()
    expect(within(own!).queryByRole('button', { name: /^Buy/ })).not.toBeInTheDocument()
    expect(within(toy!).getByText(trade.notGraded)).toBeVisible()
    expect(within(toy!).getByText('Anonymous')).toBeVisible()
  })

  it('keeps sold listings in place, and announces new ones', async () => {
    const answers = { 'GET /api/marketplace': { body: [listing('a'), listing('b')] } }
    stubApi(answers)
    const { queryClient } = renderPage('/marketplace', signedIn)
    expect(await cards()).toHaveLength(2)
    const happen = applyEvents(queryClient, createRefresher(queryClient))
    const { id, name, imageUrl, series, rarity } = item
    const event = { item: { id, name, imageUrl, series, rarity }, priceCents: 4321 }
    act(() => {
      happen({
        id: '1',
        kind: 'sale',
        data: { ...event, inventoryId: 'a', kind: 'listing', at: '2026-01-02T03:04:05Z' },
      })
      happen({ id: '2', kind: 'listing', data: { ...event, inventoryId: 'b', listingId: 'b2' } })
      happen({ id: '3', kind: 'listing', data: { ...event, inventoryId: 'c', listingId: 'c1' } })
    })
    const [sold, dearer, ...more] = await cards()
    expect(within(sold!).getByRole('button', { name: trade.gone.sold })).toBeDisabled()
    expect(within(sold!).queryByRole('button', { name: /^Buy/ })).not.toBeInTheDocument()
    expect(within(dearer!).getByRole('button', { name: trade.withItem(trade.buy('43.21'), name) })).toBeEnabled()
    expect(more).toEqual([])
    answers['GET /api/marketplace'].body = [listing('c'), listing('b')]
    await press(screen.getByRole('button', { name: en.shell.fresh('1') }))
    await waitFor(() => expect(screen.queryByRole('button', { name: trade.gone.sold })).not.toBeInTheDocument())
    expect(await cards()).toHaveLength(2)
    expect(screen.queryByRole('button', { name: en.shell.fresh('1') })).not.toBeInTheDocument()
  })

  it('links to the top-up when points are missing', async () => {
    stubApi({
      'GET /api/marketplace': { body: [listing('a')] },
      'GET /api/wallet': { body: { displayBalance: 15, balanceCents: 1500 } },
    })
    renderPage('/marketplace', signedIn)
    expect(await screen.findByRole('link', { name: trade.topUp('4.99') })).toHaveAttribute('href', '/topup?amount=5')
    expect(screen.queryByRole('button', { name: /^Buy/ })).not.toBeInTheDocument()
  })

  it('enlarges an item', async () => {
    stubApi({ 'GET /api/marketplace': { body: [listing('a')] } })
    renderPage('/marketplace', signedIn)
    await press(await screen.findByRole('button', { name: trade.viewItem(item.name) }))
    expect(await screen.findByRole('dialog', { name: item.name })).toBeVisible()
  })

  it('buys at the price shown, and refetches', async () => {
    const answers: Parameters<typeof stubApi>[0] = {
      'GET /api/marketplace': { body: [listing('a')] },
      'POST /api/marketplace/buy': { body: { inventoryId: 'a', priceCents: 1999, feeCents: 99, balanceCents: 1 } },
    }
    const seen = stubApi(answers)
    renderPage('/marketplace', signedIn)
    await screen.findByRole('button', { name: /^Buy/ })
    answers['GET /api/marketplace'] = { body: [] }
    await buyListing()
    await expectToast('Purchase Successful!', 'The item has been added to your collection.')
    expect(await bodyOf(seen, '/api/marketplace/buy')).toEqual({
      inventoryId: 'a',
      listingId: 'a for sale',
      expectedPriceCents: 1999,
    })
    // The card stays, marked as bought, until the filter changes.
    fireEvent.pointerLeave(await screen.findByText(trade.gone.bought))
    await waitFor(() => expect(seen.filter(({ url }) => url.endsWith('/api/marketplace'))).toHaveLength(2))
    expect(await cards()).toHaveLength(1)
    expect(screen.getByRole('button', { name: trade.gone.bought })).toBeDisabled()
    await userEvent.selectOptions(screen.getByLabelText(market.filter.sort), 'name')
    await waitFor(() => expect(screen.queryByText(trade.gone.bought)).not.toBeInTheDocument())
  })

  it('asks to confirm the price in place, and buys after the second press only', async () => {
    const seen = stubApi({ 'GET /api/marketplace': { body: [listing('a')] } })
    const sent = () => seen.filter(({ method }) => method === 'POST')
    renderPage('/marketplace', signedIn)
    const button = await screen.findByRole('button', { name: buy('19.99') })
    const confirm = trade.withItem(trade.confirmBuy('19.99'), item.name)
    await userEvent.dblClick(button)
    expect(button).toHaveAccessibleName(confirm)
    expect(screen.getByText(trade.confirmHint)).toBeInTheDocument()
    await userEvent.keyboard('{Escape}')
    expect(button).toHaveAccessibleName(buy('19.99'))
    expect(button).toHaveFocus()
    await userEvent.keyboard('{Enter}')
    expect(button).toHaveAccessibleName(confirm)
    await userEvent.tab()
    expect(button).toHaveAccessibleName(buy('19.99'))
    await userEvent.click(button)
    await userEvent.click(screen.getByRole('button', { name: trade.cancel }))
    expect(button).toHaveAccessibleName(buy('19.99'))
    expect(sent()).toEqual([])
  })

  it('buys with one press if the user has chosen so', async () => {
    const seen = stubApi({
      'GET /api/marketplace': { body: [listing('a')] },
      'POST /api/marketplace/buy': { body: { inventoryId: 'a', priceCents: 1999, feeCents: 99, balanceCents: 1 } },
    })
    renderPage('/marketplace', signedIn)
    const setting = await screen.findByRole('checkbox', { name: trade.confirmPurchases })
    expect(setting).toBeChecked()
    await userEvent.click(setting)
    expect(localStorage.getItem('confirm-purchases')).toBe('off')
    await userEvent.dblClick(await screen.findByRole('button', { name: buy('19.99') }))
    await expectToast('Purchase Successful!')
    expect(seen.filter(({ method }) => method === 'POST')).toHaveLength(1)
    await userEvent.click(setting)
  })

  it.each(['already_sold', 'price_changed', 'insufficient_funds'] as const)(
    'says why a purchase failed: %s',
    async (code) => {
      stubApi({ 'GET /api/marketplace': { body: [listing('a')] }, 'POST /api/marketplace/buy': refusal(409, code) })
      renderPage('/marketplace', signedIn)
      await buyListing()
      await expectToast('Purchase Failed', en.errors[code])
    },
  )

  it('retries once by itself without a response, with the same key', async () => {
    const seen = stubApi({
      'GET /api/marketplace': { body: [listing('a')] },
      'POST /api/marketplace/buy': { body: { inventoryId: 'a', priceCents: 1999, feeCents: 99, balanceCents: 1 } },
    })
    const answered = globalThis.fetch
    let lost = 0
    vi.stubGlobal('fetch', async (request: Request) => {
      const answer = await answered(request)
      if (request.method !== 'POST' || lost > 0) return answer
      lost += 1
      throw new TypeError('connection reset')
    })
    renderPage('/marketplace', signedIn)
    await buyListing()
    await expectToast('Purchase Successful!')
    const keys = seen.filter(({ method }) => method === 'POST').map(({ headers }) => headers.get('Idempotency-Key'))
    expect(keys).toEqual([keys[0], keys[0]])
  })

  it('reuses the key until a response arrives, then drops it', async () => {
    const answers: Parameters<typeof stubApi>[0] = {
      'GET /api/marketplace': { body: [listing('a')] },
      'POST /api/marketplace/buy': refusal(503, 'unavailable'),
    }
    const seen = stubApi(answers)
    renderPage('/marketplace', signedIn)
    const button = await buyListing()
    await waitFor(() => expect(button).toBeEnabled())
    await buyListing()
    await waitFor(() => expect(button).toBeEnabled())
    answers['POST /api/marketplace/buy'] = {
      body: { inventoryId: 'a', priceCents: 1999, feeCents: 99, balanceCents: 1 },
    }
    await buyListing()
    await expectToast('Purchase Successful!')
    const sent = () => seen.filter(({ method }) => method === 'POST')
    expect(new Set(sent().map(({ headers }) => headers.get('Idempotency-Key'))).size).toBe(1)
    expect(Object.keys(localStorage).filter((name) => name.startsWith('act:'))).toEqual([])
  })
})

describe('managing own listings', () => {
  const manage = async () => press(await screen.findByRole('button', { name: market.market.manage }))

  it('asks to confirm a new price below Kaibao’s offer', async () => {
    const seen = stubApi({
      'GET /api/marketplace': { body: [] },
      ...book(),
      'GET /api/inventory/me': { body: [listed('a', 1950)] },
      'POST /api/marketplace/reprice': {
        status: 409,
        body: {
          code: 'confirm_price',
          message: 'Far.',
          requestId: 'r1',
          details: { valueCents: 2000, houseCents: 1800 },
        },
      },
    })
    renderPage('/marketplace', signedIn)
    await manage()
    const dialog = within(await screen.findByRole('dialog', { name: selling.mine }))
    await userEvent.click(await dialog.findByRole('button', { name: selling.editItem(item.name) }))
    await userEvent.clear(dialog.getByRole('textbox'))
    await userEvent.type(dialog.getByRole('textbox'), '1')
    await userEvent.click(dialog.getByRole('button', { name: selling.save }))
    expect(await dialog.findByRole('alert')).toHaveTextContent(selling.far.reprice.below('$1.00', '$18.00'))
    await userEvent.click(dialog.getByRole('button', { name: selling.far.reprice.confirm('$1.00') }))
    await waitFor(() => expect(seen.filter(({ method }) => method === 'POST')).toHaveLength(2))
    const sent = seen.filter(({ method }) => method === 'POST').at(-1)!
    expect(await sent.clone().json()).toEqual({ inventoryId: 'a', priceCents: 100, confirmedCents: 100 })
  })

  it('shows the specified text when there are none', async () => {
    stubApi({ 'GET /api/marketplace': { body: [] }, 'GET /api/inventory/me': { body: [] } })
    renderPage('/marketplace', signedIn)
    await manage()
    const dialog = await screen.findByRole('dialog', { name: 'Coming Soon' })
    expect(dialog).toHaveTextContent('List your items on the marketplace. Check back later!')
  })

  it('changes a price and removes a listing', async () => {
    const seen = stubApi({
      'GET /api/marketplace': { body: [] },
      'GET /api/inventory/me': { body: [listed('a', 1950)] },
      ...book(),
      'POST /api/marketplace/reprice': { body: listed('a', 2500) },
      'POST /api/marketplace/delist': { body: held },
    })
    renderPage('/marketplace', signedIn)
    await manage()
    const dialog = await screen.findByRole('dialog', { name: selling.mine })
    expect(await within(dialog).findByText('$19.50')).toBeVisible()
    await userEvent.click(within(dialog).getByRole('button', { name: selling.editItem(item.name) }))
    const field = within(dialog).getByRole('textbox', { name: selling.price })
    expect(field).toHaveValue('19.50')
    await userEvent.clear(field)
    await userEvent.type(field, '25')
    await userEvent.click(within(dialog).getByRole('button', { name: selling.save }))
    await expectToast(selling.saved)
    expect(await bodyOf(seen, '/api/marketplace/reprice')).toEqual({ inventoryId: 'a', priceCents: 2500 })
    await userEvent.click(await within(dialog).findByRole('button', { name: trade.delistItem(item.name) }))
    await expectToast('Item Delisted')
  })
})

describe('selling from the collection', () => {
  const summary = { 'GET /api/inventory/summary': { body: { count: 1, valueCents: 12_345, listed: 0, rarities: 1 } } }

  async function openDialog(answers: Parameters<typeof stubApi>[0] = {}) {
    const all = { ...summary, ...book(), 'GET /api/inventory/me': { body: [held] }, ...answers }
    const seen = stubApi(all)
    renderPage('/my-collection', signedIn)
    await press(await screen.findByRole('button', { name: trade.sellItem(item.name) }))
    const dialog = await screen.findByRole('dialog', { name: trade.sell })
    const field = within(dialog).getByRole('textbox', { name: 'Listing Price ($)' })
    return {
      seen,
      answers: all,
      dialog,
      field,
      confirm: () => within(dialog).getByRole('button', { name: 'List Item' }),
    }
  }

  it('names the item and its value, and can’t be confirmed while empty', async () => {
    const { dialog, field, confirm } = await openDialog()
    expect(dialog).toHaveTextContent(item.name)
    expect(dialog).toHaveTextContent('$123.45')
    expect(field).toHaveAttribute('inputmode', 'decimal')
    expect(field).toHaveAttribute('placeholder', 'Enter price...')
    expect(confirm()).toBeDisabled()
  })

  it('shows the proceeds, and lists at the price in cents', async () => {
    const { seen, dialog, field, confirm } = await openDialog({
      'POST /api/marketplace/list': { body: listed('a', 1999) },
    })
    await userEvent.type(field, '19.99')
    expect(dialog).toHaveTextContent(selling.receive('$18.99', 5))
    await userEvent.click(confirm())
    await expectToast('Item Listed!')
    expect(await bodyOf(seen, '/api/marketplace/list')).toEqual({ inventoryId: 'a', priceCents: 1999 })
    await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument())
  })

  it('keeps focus on the button that removes the listing, and then on the one that sells again', async () => {
    const { answers, field, confirm } = await openDialog({
      'POST /api/marketplace/list': { body: listed('a', 1999) },
      'POST /api/marketplace/delist': { body: held },
    })
    await userEvent.type(field, '19.99')
    answers['GET /api/inventory/me'] = { body: [listed('a', 1999)] }
    await userEvent.click(confirm())
    expect(await screen.findByRole('button', { name: trade.delistItem(item.name) })).toHaveFocus()
    answers['GET /api/inventory/me'] = { body: [held] }
    await userEvent.keyboard('{Enter}')
    expect(await screen.findByRole('button', { name: trade.sellItem(item.name) })).toHaveFocus()
  })

  it.each([
    ['12,50', 1250],
    ['12。50', 1250],
    ['1.250,00', 125_000],
    ['１，２５０．００', 125_000],
  ])('lists for %s at %i cents', async (typed, priceCents) => {
    const { seen, field, confirm } = await openDialog({
      'POST /api/marketplace/list': { body: listed('a', priceCents) },
    })
    await userEvent.type(field, typed)
    await userEvent.click(confirm())
    await expectToast('Item Listed!')
    expect(await bodyOf(seen, '/api/marketplace/list')).toEqual({ inventoryId: 'a', priceCents })
  })

  it.each([
    ['1.25', 125],
    ['1,250.00', 125_000],
  ])('asks what 1.250 means, and lists at the chosen %s', async (choice, priceCents) => {
    const { seen, dialog, field, confirm } = await openDialog({
      'POST /api/marketplace/list': { body: listed('a', priceCents) },
    })
    await userEvent.type(field, '1.250')
    await userEvent.click(confirm())
    const question = within(await within(dialog).findByRole('group', { name: 'Which number did you mean?' }))
    expect(seen.filter(({ method }) => method === 'POST')).toEqual([])
    expect(question.getAllByRole('button').map(({ textContent }) => textContent)).toEqual(['1.25', '1,250.00'])
    await userEvent.click(question.getByRole('button', { name: choice }))
    expect(field).toHaveFocus()
    expect(within(dialog).queryByRole('group', { name: 'Which number did you mean?' })).not.toBeInTheDocument()
    await userEvent.click(confirm())
    await expectToast('Item Listed!')
    expect(await bodyOf(seen, '/api/marketplace/list')).toEqual({ inventoryId: 'a', priceCents })
  })

  it('says that a price has at most two decimals', async () => {
    const { field, confirm } = await openDialog()
    await userEvent.type(field, '12.3456')
    await userEvent.click(confirm())
    await waitFor(() => expect(field).toHaveAccessibleDescription('At most 2 decimals.'))
  })

  it.each(['0', '0.004', '-3', '1e20', '1000000.01'])('rejects the price %s without a request', async (typed) => {
    const { seen, field, confirm } = await openDialog()
    await userEvent.type(field, typed)
    await userEvent.click(confirm())
    await expectToast('Invalid Price', 'Please enter a valid price.')
    expect(seen.filter(({ method }) => method === 'POST')).toEqual([])
  })

  it('says that a price up to the best bid sells at once, and then shows the proceeds', async () => {
    const { dialog, field, confirm } = await openDialog({
      ...book(1950),
      'POST /api/marketplace/list': {
        body: { ...held, sold: { inventoryId: 'a', priceCents: 1950, feeCents: 39, balanceCents: 1911 } },
      },
    })
    await userEvent.type(field, '19.51')
    await waitFor(() => expect(dialog).toHaveTextContent(`${selling.bestBid}$19.50`))
    expect(confirm()).toBeEnabled()
    await userEvent.clear(field)
    await userEvent.type(field, '19.5')
    expect(dialog).toHaveTextContent(selling.receiveFromBid('$19.50', '$19.11', 2))
    await userEvent.click(within(dialog).getByRole('button', { name: selling.sellToBid('$19.50') }))
    await expectToast(selling.soldToBid('$19.50'), selling.soldToBidText('19.11'))
  })

  it('asks to confirm a price far from the value, and sends it again when confirmed', async () => {
    const far = {
      status: 409,
      body: {
        code: 'confirm_price',
        message: 'Far.',
        requestId: 'r1',
        details: { valueCents: 12_345, houseCents: 11_110 },
      },
    }
    const { seen, dialog, field, confirm } = await openDialog({ 'POST /api/marketplace/list': far })
    await userEvent.type(field, '5')
    await userEvent.click(confirm())
    expect(await within(dialog).findByRole('alert')).toHaveTextContent(selling.far.list.below('$5.00', '$111.10'))
    const [first] = within(dialog).getAllByRole('button', { name: /\$/ })
    expect(first).toHaveAccessibleName(selling.far.quickSell('$111.10'))
    expect(first).toBeEnabled()
    await userEvent.click(within(dialog).getByRole('button', { name: selling.far.list.confirm('$5.00') }))
    await waitFor(() => expect(seen.filter(({ method }) => method === 'POST')).toHaveLength(2))
    const sent = seen.filter(({ method }) => method === 'POST').at(-1)!
    expect(await sent.clone().json()).toEqual({ inventoryId: 'a', priceCents: 500, confirmedCents: 500 })
  })

  it('offers quick sell instead of such a price', async () => {
    const { dialog, field, confirm } = await openDialog({
      'POST /api/marketplace/list': {
        status: 409,
        body: {
          code: 'confirm_price',
          message: 'Far.',
          requestId: 'r1',
          details: { valueCents: 12_345, houseCents: 11_110 },
        },
      },
      'POST /api/inventory/quotes': {
        body: {
          totalCents: 11_110,
          lines: [{ inventoryId: 'a', houseCents: 11_110, best: 'house', payoutCents: 11_110 }],
        },
      },
    })
    await userEvent.type(field, '5000')
    await userEvent.click(confirm())
    expect(await within(dialog).findByRole('alert')).toHaveTextContent(
      selling.far.list.above('$5,000.00', '40', '$123.45'),
    )
    // Far above the value, the seller's own price is the main choice.
    const [first] = within(dialog).getAllByRole('button', { name: /\$/ })
    expect(first).toHaveAccessibleName(selling.far.list.confirm('$5,000.00'))
    expect(first).toHaveClass('bg-gold')
    expect(within(dialog).getByRole('button', { name: selling.far.quickSell('$111.10') })).not.toHaveClass('bg-gold')
    await press(within(dialog).getByRole('button', { name: selling.far.quickSell('$111.10') }))
    expect(await screen.findByRole('dialog', { name: sellBack.title(1) })).toBeVisible()
    expect(await screen.findByRole('button', { name: sellBack.confirm('$111.10') })).toBeEnabled()
  })

  it('shows why it failed, and keeps the input', async () => {
    const { field, confirm } = await openDialog({ 'POST /api/marketplace/list': refusal(409, 'already_listed') })
    await userEvent.type(field, '5')
    await userEvent.click(confirm())
    await expectToast('Listing Failed', selling.errors.already_listed)
    expect(field).toHaveValue('5')
  })

  it('shows listed cards with their price and a button to remove the listing', async () => {
    stubApi({
      ...summary,
      'GET /api/inventory/me': { body: [listed('a', 1950)] },
      'POST /api/marketplace/delist': refusal(409, 'not_listed'),
    })
    renderPage('/my-collection', signedIn)
    const card = await screen.findByRole('article')
    expect(within(card).getByText('FOR SALE')).toBeVisible()
    expect(within(card).getByText('$19.50')).toBeVisible()
    await userEvent.click(within(card).getByRole('button', { name: trade.delistItem(item.name) }))
    await expectToast('Delisting Failed', selling.errors.not_listed)
  })
})
