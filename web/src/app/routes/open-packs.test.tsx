import { screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { describe, expect, it } from 'vitest'
import { leaderboard } from '@/features/leaderboard/texts/en'
import { labubu, labubuDetail, packCards, pokemon } from '@test/data'
import { renderPage, signedIn } from '@test/render-page'
import { stubApi } from '@test/stub-api'

const texts = leaderboard.topPulls
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

  it('shows what each pack yields', async () => {
    const { item } = packCards[0]!
    const lastBigPull = { item: packCards[1]!.item, valueCents: 31_000, createdAt: '2026-01-02T03:04:00Z' }
    const several = { ...labubu, topItem: item, approximate: true }
    stubApi({ 'GET /api/packs': { body: [{ ...pokemon, topItem: item, lastBigPull }, several] } })
    renderPage('/open-packs')
    const [single, box] = await screen.findAllByRole('article')
    const value = (card: HTMLElement, label: string) => within(card).getByText(label).parentElement
    expect(value(single!, 'Expected value')).toHaveTextContent('$25.12')
    expect(value(single!, 'Chance of $25 or more')).toHaveTextContent('32%')
    expect(value(single!, 'Best card')).toHaveTextContent('$123.45')
    expect(value(single!, 'Last big pull')).toHaveTextContent('$310.00')
    expect(value(box!, 'Chance of $40 or more')).toHaveTextContent('about 32%')
    expect(value(box!, 'Last big pull')).toHaveTextContent('None yet')
  })

  it('shows top pulls, who pulled them, and where they are shared', async () => {
    const { item } = packCards[0]!
    const pull = { item, valueCents: 12_345, pack: { id: '2', name: 'Pokemon' }, createdAt: '2026-01-02T03:04:00Z' }
    const named = { ...pull, valueCents: 11_111, player: { handle: 'ann', firstName: 'Ann' }, openId: 'o1' }
    const seen = stubApi({ ...packs, 'GET /api/pulls/top': { body: [pull, named] } })
    renderPage('/open-packs')
    const top = within(await screen.findByRole('region', { name: texts.title }))
    const [unknown, ann] = await top.findAllByRole('article')
    expect(within(unknown!).queryByRole('link', { name: texts.see })).not.toBeInTheDocument()
    expect(within(ann!).getByRole('link', { name: '@ann' })).toHaveAttribute('href', '/u/ann')
    expect(within(ann!).getByRole('link', { name: texts.see })).toHaveAttribute('href', '/pull/o1')
    expect(within(ann!).getByRole('link', { name: 'Pokemon' })).toHaveAttribute('href', '/pack/2')
    await userEvent.click(top.getByRole('button', { name: texts.periods.all }))
    expect(seen.map(({ url }) => url)).toContainEqual(expect.stringMatching(/\/api\/pulls\/top\?period=all$/))
  })

  it('sorts packs by the order in the URL, and keeps it when the tab changes', async () => {
    stubApi({ 'GET /api/packs': { body: [labubu, pokemon] } })
    const { history } = renderPage('/open-packs?sort=price')
    const names = async () =>
      (await screen.findAllByRole('heading', { level: 3 })).map(({ textContent }) => textContent)
    expect(await names()).toEqual(['Pokemon', 'Labubu Base Box'])
    const sort = screen.getByRole('combobox', { name: 'Sort by' })
    expect(sort).toHaveValue('price')
    await userEvent.click(screen.getByRole('tab', { name: 'Labubu' }))
    expect(history.location.href).toBe('/open-packs?sort=price#labubu')
    await userEvent.selectOptions(sort, 'Featured')
    expect(history.location.href).toBe('/open-packs#labubu')
    await userEvent.click(screen.getByRole('tab', { name: 'Featured' }))
    expect(await names()).toEqual(['Labubu Base Box', 'Pokemon'])
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
