import { screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { describe, expect, it } from 'vitest'
import { labubu, labubuDetail, pokemon } from '@test/data'
import { renderPage, signedIn } from '@test/render-page'
import { stubApi } from '@test/stub-api'

const packs = { 'GET /api/packs': { body: [pokemon, labubu] } }

describe('the store', () => {
  it('preselects the tab named in the hash', async () => {
    stubApi(packs)
    renderPage('/open-packs#labubu')
    expect(await screen.findByRole('tab', { name: 'Labubu' })).toHaveAttribute('aria-selected', 'true')
    expect(await screen.findByRole('link', { name: 'Labubu Base Box' })).toHaveAttribute('href', '/pack/7')
    expect(screen.queryByRole('link', { name: 'Pokemon' })).not.toBeInTheDocument()
  })

  it('shows all packs for any other hash', async () => {
    stubApi(packs)
    renderPage('/open-packs#marvel')
    expect(await screen.findByRole('tab', { name: 'Featured' })).toHaveAttribute('aria-selected', 'true')
    expect(await screen.findByRole('link', { name: 'Pokemon' })).toBeInTheDocument()
  })

  it('puts the chosen tab into the hash, by click and by arrow key', async () => {
    stubApi(packs)
    const { history } = renderPage('/open-packs')
    await userEvent.click(await screen.findByRole('tab', { name: 'Pokemon' }))
    expect(history.location.hash).toBe('#pokemon')
    await userEvent.keyboard('{ArrowRight}')
    expect(history.location.hash).toBe('#onepiece')
    expect(screen.getByRole('tab', { name: 'One Piece' })).toHaveFocus()
  })

  it('offers visitors to view packs, and signed-in users to open them', async () => {
    stubApi({ ...packs, 'GET /api/wallet': { body: { displayBalance: 100, balanceCents: 10_000 } } })
    renderPage('/open-packs')
    expect(await screen.findByRole('link', { name: 'View Pack Pokemon' })).toHaveAttribute('href', '/pack/2')
    renderPage('/open-packs', signedIn)
    expect(await screen.findByRole('button', { name: 'Open Pack Pokemon' })).toBeEnabled()
  })

  it('offers a user without enough points the top-up that the pack takes', async () => {
    stubApi({
      ...packs,
      'GET /api/packs/7': { body: labubuDetail },
      'GET /api/wallet': { body: { displayBalance: 25, balanceCents: 2500 } },
      'GET /api/wallet/transactions': { body: [] },
      'GET /api/wallet/deposits': { body: [] },
    })
    const { history } = renderPage('/open-packs', signedIn)
    expect(await screen.findByRole('button', { name: 'Open Pack Pokemon' })).toBeEnabled()
    await userEvent.click(await screen.findByRole('button', { name: 'Top up 15 Labubu Base Box' }))
    expect(history.location.pathname + history.location.search).toBe('/topup?amount=15&pack=7')
  })

  it('prices packs in points, without the dollar sign, and marks the new ones', async () => {
    stubApi(packs)
    renderPage('/open-packs')
    expect(await screen.findByText('25.00')).toBeInTheDocument()
    expect(within(screen.getByRole('main')).getAllByText('new')).toHaveLength(1)
  })
})
