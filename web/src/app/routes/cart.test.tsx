import { act, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, describe, expect, it } from 'vitest'
import { cart as t } from '@/features/market/texts/en'
import type { CartItem } from '@/features/market/cart/cart'
import type { Listing } from '@/contract/types'
import { dismissToast } from '@/lib/toast'
import { someEntry, someUser } from '@test/data'
import { renderPage, signedIn } from '@test/render-page'
import { type Answers, stubApi } from '@test/stub-api'
import { expectToast } from '@test/expect-toast'

const { item } = someEntry('')
const listing = (id: string, salePriceCents: number): Listing => ({
  id,
  listingId: `${id} for sale`,
  forSale: true,
  salePriceCents,
  item: { ...item, name: `Card ${id}` },
  user: { firstName: 'Ann', profileImageUrl: '' },
  vaulted: false,
  own: false,
})
const line = (id: string, priceCents: number): CartItem => ({
  inventoryId: id,
  priceCents,
  item: { name: `Card ${id}` },
})
const place = `cart:${someUser.walletAddress}`
const written = () => JSON.parse(localStorage.getItem(place) ?? '[]') as CartItem[]

/** Shows the marketplace with the cart open. */
async function showCart(lines: CartItem[], more: Answers) {
  localStorage.setItem(place, JSON.stringify(lines))
  const answers: Answers = { 'GET /api/marketplace': { body: [] }, ...more }
  const seen = stubApi(answers)
  renderPage('/marketplace', signedIn)
  const open = await screen.findByRole('button', { name: t.open(lines.length) })
  await act(() => userEvent.click(open))
  return { answers, seen, dialog: await screen.findByRole('dialog', { name: t.title }) }
}
const sent = async (seen: Request[]) =>
  Promise.all(
    seen.filter(({ method }) => method === 'POST').map((request) => request.clone().json() as Promise<unknown>),
  )

beforeEach(() => {
  localStorage.clear()
  dismissToast()
})

it('adds and removes marketplace listings with the price shown', async () => {
  stubApi({ 'GET /api/marketplace': { body: [listing('a', 1999)] } })
  renderPage('/marketplace', signedIn)
  await userEvent.click(await screen.findByRole('button', { name: t.add('Card a') }))
  expect(await screen.findByRole('button', { name: t.open(1) })).toBeVisible()
  expect(written()).toMatchObject([{ inventoryId: 'a', priceCents: 1999, item: { name: 'Card a', series: 'Pokemon' } }])
  await userEvent.click(screen.getByRole('button', { name: t.removeFromCart('Card a') }))
  expect(screen.getByRole('button', { name: t.open(0) })).toBeVisible()
})

describe('the cart', () => {
  it('shows the total, and buys either everything or nothing', async () => {
    const { seen, dialog } = await showCart([line('a', 1000), line('b', 550)], {
      'POST /api/marketplace/cart': {
        body: {
          bought: [
            { inventoryId: 'a', priceCents: 1000 },
            { inventoryId: 'b', priceCents: 500 },
          ],
          skipped: [],
          totalCents: 1500,
          balanceCents: 1,
        },
      },
    })
    expect(within(dialog).getByText(t.total(2)).nextSibling).toHaveTextContent('15.50')
    await userEvent.click(within(dialog).getByRole('button', { name: t.buyAll(2, '$15.50') }))
    await expectToast(t.bought(2, '15.00'), t.boughtText(0))
    expect(await sent(seen)).toEqual([
      {
        lines: [
          { inventoryId: 'a', expectedPriceCents: 1000 },
          { inventoryId: 'b', expectedPriceCents: 550 },
        ],
        partial: false,
      },
    ])
    await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument())
    expect(written()).toEqual([])
  })

  it('shows which line made the purchase fail, and accepts the new price', async () => {
    const { dialog, answers, seen } = await showCart([line('a', 1000), line('b', 550)], {
      'POST /api/marketplace/cart': {
        status: 409,
        body: { code: 'price_changed', message: 'No.', requestId: 'r1', fields: { 'lines[1]': 'No.' } },
      },
      'GET /api/inventory/b': {
        body: { ...someEntry('b'), salePriceCents: 600, own: false, listingId: 'l', events: [] },
      },
    })
    await userEvent.click(within(dialog).getByRole('button', { name: t.buyAll(2, '$15.50') }))
    await expectToast('Purchase Failed')
    expect(within(dialog).getAllByRole('listitem')[1]).toHaveTextContent(t.why.price_changed)
    await userEvent.click(await within(dialog).findByRole('button', { name: t.acceptPrice('$6.00') }))
    expect(dialog).not.toHaveTextContent(t.why.price_changed)
    answers['POST /api/marketplace/cart'] = {
      body: { bought: [], skipped: [], totalCents: 0, balanceCents: 1 },
    }
    await userEvent.click(within(dialog).getByRole('button', { name: t.buyAll(2, '$16.00') }))
    expect(await sent(seen)).toHaveLength(2)
    expect((await sent(seen))[1]).toMatchObject({ lines: [{}, { inventoryId: 'b', expectedPriceCents: 600 }] })
  })

  it('buys what is available, and keeps the rest with the reason', async () => {
    const { seen, dialog } = await showCart([line('a', 1000), line('b', 500)], {
      'POST /api/marketplace/cart': {
        body: {
          bought: [{ inventoryId: 'a', priceCents: 1000 }],
          skipped: [{ inventoryId: 'b', code: 'already_sold' }],
          totalCents: 1000,
          balanceCents: 1,
        },
      },
    })
    await userEvent.click(within(dialog).getByRole('button', { name: t.buySome('$15.00') }))
    await expectToast(t.bought(1, '10.00'), t.boughtText(1))
    expect(await sent(seen)).toMatchObject([{ partial: true }])
    expect(within(dialog).getByRole('listitem')).toHaveTextContent(`Card b${t.why.already_sold}`)
    await userEvent.click(within(dialog).getByRole('button', { name: t.removeUnavailable(1) }))
    expect(within(dialog).getByText(t.empty)).toBeVisible()
    expect(written()).toEqual([])
  })

  it('counts and requests only available lines, and keeps the reasons of the rest', async () => {
    const { seen, answers, dialog } = await showCart([line('a', 1000), line('b', 500), line('c', 70)], {
      'POST /api/marketplace/cart': {
        body: {
          bought: [],
          skipped: [
            { inventoryId: 'a', code: 'insufficient_funds' },
            { inventoryId: 'b', code: 'not_listed' },
            { inventoryId: 'c', code: 'insufficient_funds' },
          ],
          totalCents: 0,
          balanceCents: 1,
        },
      },
    })
    const cart = within(dialog)
    await userEvent.click(cart.getByRole('button', { name: t.buySome('$15.70') }))
    await expectToast(t.none)
    expect(cart.getByText(t.total(2)).nextSibling).toHaveTextContent('10.70')
    expect(cart.getByRole('button', { name: t.buyAll(2, '$10.70') })).toBeDisabled()
    answers['POST /api/marketplace/cart'] = {
      body: {
        bought: [
          { inventoryId: 'a', priceCents: 1000 },
          { inventoryId: 'c', priceCents: 70 },
        ],
        skipped: [],
        totalCents: 1070,
        balanceCents: 1,
      },
    }
    await userEvent.click(cart.getByRole('button', { name: t.buySome('$10.70') }))
    await expectToast(t.bought(2, '10.70'))
    expect((await sent(seen))[1]).toMatchObject({ lines: [{ inventoryId: 'a' }, { inventoryId: 'c' }] })
    expect(cart.getByRole('listitem')).toHaveTextContent(`Card b${t.why.not_listed}`)
    expect(cart.queryByRole('button', { name: t.buySome('$5.00') })).not.toBeInTheDocument()
  })

  it('links to the top-up when points are missing, and still buys what is affordable', async () => {
    const { dialog } = await showCart([line('a', 600), line('b', 400)], {
      'GET /api/wallet': { body: { displayBalance: 4, balanceCents: 400, heldCents: 0 } },
    })
    expect(await within(dialog).findByText(t.short('6.00'))).toBeVisible()
    expect(within(dialog).getByRole('link', { name: t.topUp })).toHaveAttribute('href', '/topup')
    expect(within(dialog).getByRole('button', { name: t.buyAll(2, '$10.00') })).toBeDisabled()
    expect(within(dialog).getByRole('button', { name: t.buySome('$4.00') })).toBeEnabled()
  })
})
