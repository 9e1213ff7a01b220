import { act, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { describe, expect, it, vi } from 'vitest'
import { topup } from '@/features/wallet/texts/en'
import { config } from '@/lib/config'
import { labubuDetail, pokemonDetail } from '@test/data'
import { renderPage, signedIn, signedOut } from '@test/render-page'
import { notFound, stubApi } from '@test/stub-api'

function stubPack(balanceCents = 0) {
  stubApi({
    'GET /api/packs/99': notFound,
    'GET /api/packs/2': { body: pokemonDetail },
    'GET /api/packs/7': { body: labubuDetail },
    'GET /api/wallet': { body: { displayBalance: balanceCents / 100, balanceCents } },
    'GET /api/wallet/transactions': { body: [] },
    'GET /api/wallet/deposits': { body: [] },
  })
}

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

  it('shows every band’s weight and effective chance, and the expected value', async () => {
    stubPack()
    renderPage('/pack/2')
    expect(await screen.findByRole('heading', { name: 'probability' })).toBeInTheDocument()
    expect(screen.getByRole('row', { name: /\$5-15 29\.8% 29\.53%/ })).toBeInTheDocument()
    expect(screen.getByText('$25.12')).toBeInTheDocument()
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
