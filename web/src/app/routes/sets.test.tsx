import { act, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, describe, expect, it } from 'vitest'
import { bids } from '@/features/bids/texts/en'
import { cart, trade } from '@/features/market/texts/en'
import { finish, set as texts, sets } from '@/features/sets/texts/en'
import type { CardSet, Finish, SetCard, SetPage } from '@/contract/types'
import { config, terms } from '@/lib/config'
import { dismissToast } from '@/lib/toast'
import { pokemonDetail } from '@test/data'
import { expectToast } from '@test/expect-toast'
import { renderPage, signedIn, signedOut } from '@test/render-page'
import { type Answers, notFound, stubApi } from '@test/stub-api'

const [charizard] = pokemonDetail.showcase
type Item = SetCard['item']
const item = (id: string, more: Partial<Item> = {}): Item => ({
  ...charizard!,
  id,
  name: `Card ${id}`,
  baseValueCents: 1000,
  set: '1999 Base',
  setNumber: id,
  ...more,
})

const list: CardSet[] = [
  { id: 'p', series: 'Pokemon', name: '', cardCount: 5, imageUrls: ['/media/items/1.svg'] },
  { id: 'b', series: 'Pokemon', name: '1999 Base', cardCount: 4, imageUrls: [] },
  { id: 'o', series: 'One Piece', name: '', cardCount: 1, imageUrls: [] },
]

const ask = { inventoryId: 'e1', listingId: 'l1', priceCents: 950 }
const cards: SetCard[] = [
  { item: item('1'), ownedCount: 2, ownedIds: ['mine', 'mine2'] },
  { item: item('2'), ownedCount: 0, ownedIds: [], ask },
  { item: item('3'), ownedCount: 0, ownedIds: [] },
  { item: item('4', { baseValueCents: 20_000 }), ownedCount: 0, ownedIds: [] },
]
const missing: Finish = {
  missingCount: 3,
  lines: [{ ...ask, item: item('2') }],
  totalCents: 950,
  moreCount: 0,
  notForSaleCount: 2,
  notForSale: [item('3'), item('4', { baseValueCents: 20_000 })],
}
const page: SetPage = {
  ...list[1]!,
  ownedCount: 1,
  duplicateCount: 1,
  cards,
  finish: missing,
  duplicates: { count: 1, inventoryIds: ['mine2'], payoutCents: 900 },
}

const stubSet = (body: SetPage, more: Answers = {}) => stubApi({ 'GET /api/sets/b': { body }, ...more })
const articles = async () => screen.findAllByRole('article')
const bodiesOf = (seen: Request[], path: string) =>
  Promise.all(
    seen
      .filter(({ method, url }) => method === 'POST' && new URL(url).pathname === path)
      .map((request) => request.clone().json() as Promise<unknown>),
  )
/** Waits for the dialog that a press opens in a transition, which `userEvent` alone doesn't. */
const press = (button: HTMLElement) => act(() => userEvent.click(button))

const { market } = config.rules

beforeEach(() => {
  Object.assign(config.rules, { market })
  dismissToast()
  localStorage.clear()
})

describe('the list of sets', () => {
  it('is public: by series, without progress', async () => {
    stubApi({ 'GET /api/sets': { body: list } })
    renderPage('/sets', signedOut)
    const [whole, base, onePiece] = await articles()
    expect(
      within(screen.getByRole('main'))
        .getAllByRole('heading', { level: 2 })
        .map(({ textContent }) => textContent),
    ).toEqual(['Pokemon', 'One Piece'])
    expect(whole).toHaveTextContent(`${sets.wholeSeries}${sets.items(5)}`)
    expect(base).toHaveTextContent(`1999 Base${sets.items(4)}`)
    expect(onePiece).toHaveTextContent(sets.items(1))
    expect(within(base!).getByRole('link', { name: '1999 Base' })).toHaveAttribute('href', '/sets/b')
  })

  it('shows progress, duplicates and completion', async () => {
    const counted = list.map((one, at) => ({ ...one, ownedCount: at === 2 ? 1 : 3, duplicateCount: at }))
    stubApi({ 'GET /api/sets': { body: counted } })
    renderPage('/sets', signedIn)
    const [whole, base, onePiece] = await articles()
    expect(whole).toHaveTextContent(sets.progress(3, 5))
    expect(base).toHaveTextContent(sets.duplicates(1))
    expect(onePiece).toHaveTextContent(sets.complete)
    expect(base).not.toHaveTextContent(sets.complete)
  })

  it('is filtered by category, which the URL keeps', async () => {
    const seen = stubApi({ 'GET /api/sets': { body: list } })
    const { history } = renderPage('/sets', signedOut)
    await articles()
    await userEvent.selectOptions(screen.getByRole('combobox', { name: sets.category }), 'onepiece')
    await waitFor(() => expect(history.location.search).toBe('?series=onepiece'))
    await waitFor(() => expect(seen.at(-1)!.url).toContain('series=onepiece'))
  })
})

describe('a set', () => {
  it('signed out shows all cards, asks and bids, but neither progress nor what finishing costs', async () => {
    const { finish: _finish, duplicates: _duplicates, ownedCount: _owned, duplicateCount: _more, ...open } = page
    stubSet({ ...open, cards: cards.map((card) => ({ ...card, ownedCount: 0, ownedIds: [] })) })
    renderPage('/sets/b', signedOut)
    const [, second, third] = await articles()
    expect(screen.getByText(texts.signIn)).toBeVisible()
    expect(screen.queryByText(texts.missing)).not.toBeInTheDocument()
    expect(screen.queryByRole('heading', { name: finish.title })).not.toBeInTheDocument()
    const from = await within(second!).findByRole('button', { name: trade.withItem(texts.from('9.50'), 'Card 2') })
    await userEvent.click(from)
    expect(signedOut.connect).toHaveBeenCalled()
    expect(within(third!).getByRole('button', { name: bids.bidFor('Card 3') })).toBeVisible()
  })

  it('shows owned cards with their copies, and missing ones with the lowest price or a bid', async () => {
    stubSet(page)
    renderPage('/sets/b', signedIn)
    const [first, second, third] = await articles()
    expect(first).toHaveTextContent(texts.owned(2))
    expect(within(first!).getByRole('link', { name: 'Card 1' })).toHaveAttribute('href', '/entry/mine')
    expect(within(first!).queryByRole('button')).not.toBeInTheDocument()
    expect(second).toHaveTextContent(texts.missing)
    expect(within(second!).getByRole('button', { name: trade.withItem(texts.from('9.50'), 'Card 2') })).toBeVisible()
    expect(within(third!).getByRole('button', { name: bids.bidFor('Card 3') })).toBeVisible()
    expect(screen.getByText(finish.missing(3))).toBeVisible()
    expect(screen.getByText(finish.has(1))).toBeVisible()
    expect(screen.getByRole('link', { name: finish.sell })).toHaveAttribute(
      'href',
      '/my-collection?series=pokemon&search=1999+Base',
    )
  })

  it('adds the cheapest listings to the cart once, and says how many more are for sale', async () => {
    const lines = Array.from({ length: 50 }, (_, at) => ({
      inventoryId: `e${at}`,
      listingId: `l${at}`,
      priceCents: 100,
      item: item(String(at)),
    }))
    stubSet({ ...page, finish: { ...missing, missingCount: 55, lines, totalCents: 5000, moreCount: 3 } })
    renderPage('/sets/b', signedIn)
    expect(await screen.findByText(finish.cheapest(50, 3))).toBeVisible()
    await userEvent.click(await screen.findByRole('button', { name: finish.add(50) }))
    await expectToast(finish.added(50))
    expect(screen.getByText(finish.allInCart)).toBeVisible()
    expect(screen.getByRole('button', { name: cart.open(50) })).toBeVisible()
  })

  it('adds what fits into the cart, and says what doesn’t', async () => {
    const full = Array.from({ length: terms.mostInCart }, (_, at) => ({
      inventoryId: `x${at}`,
      priceCents: 1,
      item: { name: 'x' },
    }))
    localStorage.setItem(`cart:${signedIn.address}`, JSON.stringify(full))
    stubSet(page)
    renderPage('/sets/b', signedIn)
    await userEvent.click(await screen.findByRole('button', { name: finish.add(1) }))
    await expectToast(finish.noRoom(1))
  })

  it('is complete with all cards', async () => {
    const none = { missingCount: 0, lines: [], totalCents: 0, moreCount: 0, notForSaleCount: 0, notForSale: [] }
    stubSet({ ...page, ownedCount: 4, finish: none })
    renderPage('/sets/b', signedIn)
    expect(await screen.findByText(finish.complete)).toBeVisible()
  })

  it('without a market has neither prices nor bids nor a finish, but duplicates', async () => {
    Object.assign(config.rules, { market: false })
    const { ask: _ask, ...unsold } = cards[1]!
    stubSet({ ...page, cards: [cards[0]!, unsold] })
    renderPage('/sets/b', signedIn)
    const [, second] = await articles()
    expect(second).toHaveTextContent(texts.missing)
    expect(within(second!).queryByRole('button')).not.toBeInTheDocument()
    expect(screen.queryByRole('heading', { name: finish.title })).not.toBeInTheDocument()
    expect(screen.getByText(finish.has(1))).toBeVisible()
  })

  it('that doesn’t exist leads to the list', async () => {
    stubApi({ 'GET /api/sets/b': notFound })
    renderPage('/sets/b', signedOut)
    expect(await screen.findByRole('heading', { level: 1, name: texts.unknown })).toBeVisible()
    expect(screen.getByRole('link', { name: texts.back })).toHaveAttribute('href', '/sets')
  })
})

describe('bids on missing cards', () => {
  const { many } = bids
  const price = (name: string) => screen.getByRole('textbox', { name: many.price(name) })
  const placed = (id: string, more = {}) =>
    Response.json({ id, state: 'open', filled: [], heldCents: 900, ...more }, { status: 200 })
  const refused = (code: string, details?: object) =>
    Response.json({ code, message: 'No.', requestId: 'r1', details }, { status: 409 })

  async function openForm(): Promise<HTMLElement> {
    renderPage('/sets/b', signedIn)
    await press(await screen.findByRole('button', { name: finish.bid(2) }))
    return screen.findByRole('dialog')
  }

  it('are 90% of the value, editable, and held together', async () => {
    const seen = stubSet(page, { 'GET /api/bids': { body: [] }, 'POST /api/bids': () => placed('x') })
    const dialog = await openForm()
    expect(price('Card 3')).toHaveValue('9.00')
    expect(price('Card 4')).toHaveValue('180.00')
    expect(dialog).toHaveTextContent(`${many.held(2)}189.00`)
    await userEvent.clear(price('Card 4'))
    expect(dialog).toHaveTextContent(`${many.held(1)}9.00`)
    await userEvent.type(price('Card 4'), '150')
    expect(dialog).toHaveTextContent(`${many.held(2)}159.00`)
    await userEvent.click(within(dialog).getByRole('button', { name: many.confirm }))
    await expectToast(many.placed(2), many.heldNow('18.00'))
    expect(await bodiesOf(seen, '/api/bids')).toEqual([
      { scope: { itemId: '3' }, priceCents: 900 },
      { scope: { itemId: '4' }, priceCents: 15_000 },
    ])
    const keys = seen.filter(({ method }) => method === 'POST').map(({ headers }) => headers.get('Idempotency-Key'))
    expect(new Set(keys).size).toBe(2)
  })

  it('aren’t placed at an invalid price', async () => {
    stubSet(page, { 'GET /api/bids': { body: [] } })
    const dialog = await openForm()
    await userEvent.clear(price('Card 3'))
    await userEvent.type(price('Card 3'), '0.52')
    expect(price('Card 3')).toBeInvalid()
    expect(within(dialog).getByRole('button', { name: many.confirm })).toBeDisabled()
  })

  it('stop at a refusal, and go on after a confirmed price', async () => {
    let asked = 0
    const seen = stubSet(page, {
      'GET /api/bids': { body: [] },
      'POST /api/bids': () =>
        ++asked === 2 ? refused('confirm_price', { valueCents: 100, houseCents: 90 }) : placed(`bid ${asked}`),
    })
    const dialog = await openForm()
    await userEvent.click(within(dialog).getByRole('button', { name: many.confirm }))
    await expectToast(many.stopped(1), many.stoppedText)
    expect(within(dialog).getByText(many.far('$1.00'))).toBeVisible()
    expect(screen.queryByRole('textbox', { name: many.price('Card 3') })).not.toBeInTheDocument()
    await userEvent.click(within(dialog).getByRole('button', { name: many.confirm }))
    await expectToast(many.placed(1), many.heldNow('9.00'))
    expect((await bodiesOf(seen, '/api/bids')).at(-1)).toEqual({
      scope: { itemId: '4' },
      priceCents: 18_000,
      confirmedCents: 18_000,
    })
  })

  it('lead to the top-up if the balance is too low', async () => {
    stubSet(page, {
      'GET /api/bids': { body: [] },
      'GET /api/wallet': { body: { displayBalance: 100, balanceCents: 10_000, heldCents: 0 } },
    })
    const dialog = await openForm()
    expect(await within(dialog).findByRole('link', { name: many.topUp('89.00') })).toHaveAttribute(
      'href',
      '/topup?amount=89',
    )
  })
})
