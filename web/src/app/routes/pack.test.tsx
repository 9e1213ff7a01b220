import { act, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { describe, expect, it, vi } from 'vitest'
import type { PackDetail } from '@/contract/types'
import { topup } from '@/features/wallet/texts/en'
import { config } from '@/lib/config'
import { activity, labubuDetail, packCards, pokemonDetail } from '@test/data'
import { renderPage, signedIn, signedOut } from '@test/render-page'
import { type Answers, notFound, stubApi } from '@test/stub-api'

function stubPack(balanceCents = 0, more: Answers = {}) {
  return stubApi({
    'GET /api/packs/99': notFound,
    'GET /api/packs/2': { body: pokemonDetail },
    'GET /api/packs/7': { body: labubuDetail },
    'GET /api/packs/2/cards': { body: packCards },
    'GET /api/wallet': { body: { displayBalance: balanceCents / 100, balanceCents } },
    'GET /api/wallet/transactions': { body: [] },
    'GET /api/wallet/deposits': { body: [] },
    ...more,
  })
}

const odds = () => screen.findByRole('region', { name: 'probability' })
const question = (name: string) => screen.findByRole('region', { name })

/** Waits for the dialog that a press opens in a transition, which `userEvent` alone doesn't. */
const press = (button: HTMLElement) => act(() => userEvent.click(button))

describe('the pack page', () => {
  it('asks signed-out visitors to connect and shows no balance', async () => {
    stubPack()
    renderPage('/pack/2')
    await userEvent.click(await screen.findByRole('button', { name: 'connect wallet' }))
    expect(signedOut.connect).toHaveBeenCalled()
    expect(screen.queryByText('Your balance')).not.toBeInTheDocument()
    expect(screen.queryByRole('button', { name: 'open pack' })).not.toBeInTheDocument()
  })

  it('lets a user with enough points open it, and shows the balance without decimals', async () => {
    stubPack(2_599)
    renderPage('/pack/2', signedIn)
    await waitFor(() => expect(screen.getByRole('button', { name: 'open pack' })).toBeEnabled())
    expect(screen.getByText('Your balance').parentElement).toHaveTextContent('25Play Points')
  })

  it('says how many points are missing, and leads to the top-up that brings them', async () => {
    stubPack(1_050)
    const { history } = renderPage('/pack/2', signedIn)
    const button = await screen.findByRole('button', { name: 'Top up 15' })
    expect(button).toHaveAccessibleDescription(/14\.50 more Play Points/)
    expect(screen.queryByRole('button', { name: 'open pack' })).not.toBeInTheDocument()
    await press(button)
    await waitFor(() => expect(history.location.pathname).toBe('/topup'))
    expect(history.location.search).toBe('?amount=15&pack=2')
    expect(await screen.findByRole('textbox', { name: topup.custom })).toHaveValue('15')
    expect(screen.getByRole('button', { name: topup.submit('15') })).toBeEnabled()
    expect(await screen.findByText(topup.goal.missing('14.50', 'Pokemon'))).toBeVisible()
    expect(screen.getByRole('link', { name: topup.goal.back('Pokemon') })).toHaveAttribute('href', '/pack/2')
  })

  it('adds test points at once, and then opens the pack, with one button that keeps the focus', async () => {
    vi.spyOn(config, 'sandbox', 'get').mockReturnValue(true)
    let balanceCents = 0
    const seen = stubApi({
      'GET /api/packs/2': { body: pokemonDetail },
      'GET /api/wallet': () => Response.json({ displayBalance: balanceCents / 100, balanceCents }),
      'POST /api/wallet/deposit/manual': () => {
        balanceCents = 2500
        return Response.json({ success: true, message: '', wallet: {}, transaction: {} })
      },
    })
    renderPage('/pack/2', signedIn)
    const button = await screen.findByRole('button', { name: 'Top up 25' })
    await userEvent.click(button)
    await waitFor(() => expect(button).toHaveAccessibleName('open pack'))
    expect(button).toBeEnabled()
    expect(button).toHaveFocus()
    const [sent, ...more] = seen.filter(({ method }) => method === 'POST')
    expect(await sent!.clone().json()).toEqual({ amount: 25 })
    expect(more).toEqual([])
  })

  it('shows the expected value, and folded away each range’s weight and effective chance', async () => {
    stubPack()
    renderPage('/pack/2')
    expect(within(await odds()).getByText('$25.12')).toBeVisible()
    const weights = screen.getByRole('table', { hidden: true })
    expect(weights).not.toBeVisible()
    await userEvent.click(screen.getByText('How odds are computed'))
    expect(weights).toBeVisible()
    expect(screen.getByRole('row', { name: /\$5-15 29\.8% 29\.53%/ })).toBeVisible()
  })

  it('says what one could win: the top cards with value and chance', async () => {
    stubPack()
    renderPage('/pack/2')
    const win = within(await question('What could I win?'))
    const [best] = await win.findAllByRole('listitem')
    expect(best).toHaveTextContent(/Charizard.*\$123\.45.*1 in 4,300/)
    expect(within(best!).getByRole('link')).toHaveAttribute('href', '/item/pkm-001')
  })

  it('says what one will probably get', async () => {
    stubPack()
    renderPage('/pack/2')
    const get = await question('What will I probably get?')
    expect(get).toHaveTextContent('32% of pulls are worth $25 or more; half are worth $18.90 or more.')
    expect(within(get).getByRole('img', { name: 'Value distribution' })).toHaveTextContent('Price $25')
  })

  it('says “about” where the figures are approximate', async () => {
    stubPack(0, { 'GET /api/packs/2': { body: { ...pokemonDetail, itemsPerPack: 5, approximate: true } } })
    renderPage('/pack/2')
    expect(await question('What will I probably get?')).toHaveTextContent(
      'About 32% of packs are worth $25 or more; half are worth about $18.90 or more.',
    )
    expect(await screen.findAllByText('1 in 4,300 cards')).not.toHaveLength(0)
  })

  it('says what it costs on average', async () => {
    stubPack()
    renderPage('/pack/2')
    expect(await question('What does it cost me on average?')).toHaveTextContent(
      'Average card value $25.12. Selling everything back returns 22.60 points on average.',
    )
  })

  it('promises no sell-back where the house rules have none', async () => {
    stubPack(0, { 'GET /api/packs/2': { body: { ...pokemonDetail, cashBackCents: null } } })
    renderPage('/pack/2')
    const cost = await question('What does it cost me on average?')
    expect(cost).toHaveTextContent('Average card value $25.12. Kaibao doesn’t buy cards back here.')
  })

  it('shows what people pulled from this pack', async () => {
    const asked = stubPack(0, {
      'GET /api/pulls/top': {
        body: [
          {
            item: packCards[0]!.item,
            valueCents: 12_345,
            pack: { id: '2', name: 'Pokemon' },
            createdAt: '2026-01-02T03:04:00Z',
            player: { handle: 'ann', firstName: 'Ann' },
            openId: 'o1',
          },
        ],
      },
      'GET /api/activity/recent': {
        body: [...activity, { ...activity[0], id: 'other', pack: { id: '7', name: 'Box' } }],
      },
    })
    renderPage('/pack/2')
    const top = await screen.findByRole('region', { name: 'Top pulls' })
    expect(await within(top).findByRole('listitem')).toHaveTextContent(/Charizard.*\$123\.45/)
    expect(within(top).getByRole('link', { name: '@ann' })).toHaveAttribute('href', '/u/ann')
    expect(within(top).getByRole('link', { name: 'See pull' })).toHaveAttribute('href', '/pull/o1')
    const latest = within(screen.getByRole('region', { name: 'Latest pulls' }))
    expect(await latest.findAllByRole('listitem')).toHaveLength(5)
    await userEvent.click(screen.getByRole('button', { name: 'Today' }))
    await waitFor(() =>
      expect(asked.map(({ url }) => url)).toContainEqual(expect.stringMatching(/period=today&packId=2/)),
    )
  })

  it('lists all cards, which can be searched', async () => {
    const asked = stubPack()
    renderPage('/pack/2')
    const all = within(await screen.findByRole('region', { name: 'All cards' }))
    const rows = await all.findAllByRole('listitem')
    expect(rows).toHaveLength(2)
    expect(rows[1]).toHaveTextContent(/Snorlax.*\$18\.90.*1 in 1/)
    expect(within(rows[1]!).getByRole('link')).toHaveAttribute('href', '/item/pkm-002')
    await userEvent.type(all.getByRole('searchbox'), 'snor ')
    await waitFor(() =>
      expect(asked.map(({ url }) => url)).toContainEqual(expect.stringMatching(/cards\?search=snor$/)),
    )
  })

  it('says so when no card is left', async () => {
    const { topItem: _, ...rest }: PackDetail = pokemonDetail
    const soldOut = { ...rest, soldOut: true, distribution: { buckets: [], medianCents: 0 } }
    stubPack(0, { 'GET /api/packs/2': { body: soldOut }, 'GET /api/packs/2/cards': { body: [] } })
    renderPage('/pack/2')
    expect(within(await odds()).getByText('No cards left to pull')).toBeVisible()
    expect(screen.queryByText('What could I win?')).not.toBeInTheDocument()
  })

  it('links to the other categories by hash', async () => {
    stubPack()
    renderPage('/pack/2')
    const row = await screen.findByRole('navigation', { name: 'more packs' })
    const hashes = [...row.querySelectorAll('a')].map((link) => link.getAttribute('href'))
    expect(hashes).toEqual(
      ['basketball', 'pokemon', 'football', 'soccer', 'baseball', 'onepiece', 'labubu'].map(
        (category) => `/open-packs#${category}`,
      ),
    )
  })

  it('enlarges a showcase item', async () => {
    stubPack()
    renderPage('/pack/2')
    expect(await screen.findByRole('heading', { name: 'potential grails' })).toBeInTheDocument()
    await press(screen.getByRole('button', { name: /^Enlarge 1999 Pokemon/ }))
    expect(await screen.findByRole('dialog')).toHaveTextContent(/Charizard.*Pokemon/)
  })

  it('shows a toy’s value, and truncates its name after 40 characters only in the grid', async () => {
    stubPack()
    renderPage('/pack/7')
    expect(await screen.findByRole('heading', { name: 'potential rare' })).toBeInTheDocument()
    expect(screen.getByText('Labubu Have a Seat Secret Edition Midnig...')).toBeInTheDocument()
    expect(screen.getByText('$615.00')).toBeInTheDocument()
    await press(screen.getByRole('button', { name: /^Enlarge Labubu/ }))
    expect(await screen.findByRole('dialog', { name: 'Labubu Have a Seat Secret Edition Midnight Blue' })).toBeVisible()
  })

  it('reports an unknown pack', async () => {
    stubPack()
    renderPage('/pack/99')
    expect(await screen.findByRole('heading', { name: 'Pack Not Found' })).toBeInTheDocument()
    expect(screen.getByRole('link', { name: 'Back to Packs' })).toHaveAttribute('href', '/open-packs')
  })
})
