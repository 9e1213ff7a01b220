import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { checkout } from './texts/en'
import { labubus } from './texts/en'
import { roadmap } from './texts/en'
import { roadmap as roadmapZh } from './texts/zh'
import { pokemon, pokemonDetail } from '@test/data'
import { renderPage } from '@test/render-page'
import { notFound, stubApi } from '@test/stub-api'

describe('the roadmap', () => {
  /** Each phase's state, progress, open items, and whether they are overdue. */
  async function phases() {
    stubApi({})
    renderPage('/roadmap')
    const found = await screen.findAllByRole('article')
    return found.map((phase) => {
      const bar = within(phase).getByRole('progressbar')
      const open = within(phase).queryAllByRole('img', { name: roadmap.itemOpen })
      return {
        state: within(phase).getByText(/^(Completed|In progress|Planned)$/).textContent,
        there: `${bar.getAttribute('aria-valuenow')}/${bar.getAttribute('aria-valuemax')}`,
        open: open.map((mark) => mark.parentElement?.textContent),
        late: within(phase).queryByText(roadmap.late) !== null,
      }
    })
  }

  afterEach(() => void vi.useRealTimers())

  it('shows for four phases what is done, open and overdue', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-04-01T00:00:00Z') })
    const [, , third, fourth] = roadmap.phases
    expect(await phases()).toEqual([
      { state: 'Completed', there: '4/4', open: [], late: false },
      { state: 'In progress', there: '4/5', open: ['Token buyback'], late: true },
      { state: 'Planned', there: '0/4', open: third!.checklist, late: true },
      { state: 'Planned', there: '0/4', open: fourth!.checklist, late: false },
    ])
  })

  it('has the same items in Chinese', () => {
    const counts = (items: typeof roadmap.phases) => items.map(({ checklist }) => checklist.length)
    expect(counts(roadmapZh.phases)).toEqual(counts(roadmap.phases))
  })

  it('marks nothing as overdue before its deadline', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: new Date('2025-12-31T23:59:59Z') })
    expect((await phases()).map(({ late }) => late)).toEqual([false, false, false, false])
  })
})

it('the Labubu page redirects to its category', async () => {
  stubApi({})
  renderPage('/labubus')
  expect(await screen.findByRole('link', { name: labubus.explore })).toHaveAttribute('href', '/open-packs#labubu')
  const film = screen.getByLabelText<HTMLVideoElement>(labubus.video)
  expect(film.loop && film.muted).toBe(true)
  expect(film.poster).toContain('/labubus.jpg')
})

describe('the checkout', () => {
  it('takes no payment', async () => {
    stubApi({ 'GET /api/packs/2': { body: pokemonDetail } })
    renderPage('/checkout/2')
    expect(await screen.findByRole('heading', { name: 'Payment Not Configured' })).toBeVisible()
    expect(screen.getByText(checkout.notConfiguredText)).toBeVisible()
    expect(screen.getByRole('button', { name: 'Go back' })).toBeVisible()
  })

  it('reports an unknown pack', async () => {
    stubApi({ 'GET /api/packs/999': notFound })
    renderPage('/checkout/999')
    expect(await screen.findByRole('heading', { name: 'Pack Not Found' })).toBeVisible()
    expect(screen.getByText("The pack you're trying to purchase could not be found.")).toBeVisible()
  })

  it.each([
    ['/checkout/2', '/pack/2'],
    ['/checkout/999', '/open-packs'],
  ])('%s opened directly links back to %s, not out of the site', async (path, next) => {
    stubApi({
      'GET /api/packs/2': { body: pokemonDetail },
      'GET /api/packs/999': notFound,
      'GET /api/packs': { body: [pokemon] },
    })
    const { history } = renderPage(path)
    await userEvent.click(await screen.findByRole('button', { name: 'Go back' }))
    await waitFor(() => expect(history.location.pathname).toBe(next))
  })

  it('links back to the previous page', async () => {
    stubApi({ 'GET /api/packs': { body: [pokemon] }, 'GET /api/packs/2': { body: pokemonDetail } })
    const { history } = renderPage('/roadmap')
    await screen.findAllByRole('article')
    history.push('/checkout/2')
    await userEvent.click(await screen.findByRole('button', { name: 'Go back' }))
    await waitFor(() => expect(history.location.pathname).toBe('/roadmap'))
  })

  it('offers a retry when the pack fails to load', async () => {
    stubApi({ 'GET /api/packs/2': { status: 503, body: { code: 'unavailable', message: '', requestId: '' } } })
    renderPage('/checkout/2')
    expect(await screen.findByRole('alert')).toHaveTextContent('Failed to fetch pack details')
  })
})

describe('the command palette', () => {
  it('opens a pack’s page by keyboard', async () => {
    stubApi({
      'GET /api/packs': { body: [pokemon] },
      'GET /api/packs/2': { body: pokemonDetail },
      'GET /api/items': { body: [] },
    })
    const { history } = renderPage('/roadmap')
    await screen.findAllByRole('article')
    await userEvent.keyboard('{Control>}k{/Control}')
    const field = await screen.findByRole('combobox', { name: 'Jump to' })
    await userEvent.type(field, 'poke')
    expect(await screen.findByRole('option', { name: /^Pokemon/, selected: true })).toBeVisible()
    await userEvent.keyboard('{Enter}')
    expect(await screen.findByRole('heading', { level: 1, name: 'Pokemon' })).toBeVisible()
    expect(history.location.pathname).toBe('/pack/2')
  })
})
