import { screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { describe, expect, it, vi } from 'vitest'
import { leaderboard as board } from '@/features/leaderboard/texts/en'
import type { Leader } from '@/contract/types'
import { activity } from '@test/data'
import { renderPage, signedIn } from '@test/render-page'
import { notFound, stubApi } from '@test/stub-api'

const leader = (rank: number, username: string, value: number, number = 0): Leader => ({
  number,
  rank,
  username,
  profileImageUrl: '',
  value,
})

const four = [leader(1, 'Ann', 250_000), leader(2, '', 123_456, 17), leader(2, 'Cy', 123_456), leader(4, 'Di', 2_500)]

function answer(leaders: Leader[], mine: object = { rank: null, value: 0, position: null }) {
  return stubApi({
    'GET /api/activity/recent': { body: activity },
    'GET /api/leaderboard': { body: leaders, headers: { 'X-Total-Count': '1234' } },
    'GET /api/leaderboard/me': { body: mine },
  })
}

const queries = (seen: Request[]) =>
  seen
    .map(({ url }) => new URL(url))
    .filter(({ pathname }) => pathname === '/api/leaderboard')
    .map(({ search }) => search)

describe('the leaderboard', () => {
  it('has ten rows of skeletons while it loads', async () => {
    vi.stubGlobal('fetch', () => new Promise(() => {}))
    renderPage('/leaderboard')
    expect(await screen.findAllByTestId('leader-skeleton')).toHaveLength(10)
  })

  it('has an empty state', async () => {
    answer([])
    renderPage('/leaderboard')
    expect(await screen.findByRole('heading', { name: 'No Data Available' })).toBeVisible()
  })

  it('reports a failed load', async () => {
    stubApi({ 'GET /api/activity/recent': { body: [] }, 'GET /api/leaderboard': notFound })
    renderPage('/leaderboard?metric=PACKS')
    expect(await screen.findByRole('heading', { name: 'Failed to fetch leaderboard' })).toBeVisible()
  })

  it('keeps period and metric in the URL, by default all time and volume', async () => {
    const seen = answer(four)
    const { history } = renderPage('/leaderboard')
    expect(await screen.findByRole('tab', { name: board.period.ALL_TIME, selected: true })).toBeVisible()
    expect(screen.getByRole('tab', { name: 'Volume', selected: true })).toBeVisible()
    await userEvent.click(screen.getByRole('tab', { name: board.metric.TOP_PULL }))
    await userEvent.click(screen.getByRole('tab', { name: board.period.WEEKLY }))
    expect(history.location.search).toBe('?period=WEEKLY&metric=TOP_PULL')
    expect(screen.getByRole('tab', { name: board.metric.TOP_PULL, selected: true })).toBeVisible()
    expect(queries(seen)).toEqual([
      '?period=ALL_TIME&metric=VOLUME&limit=100',
      '?period=ALL_TIME&metric=TOP_PULL&limit=100',
      '?period=WEEKLY&metric=TOP_PULL&limit=100',
    ])
  })

  it('shows three on the podium and all in the list, and users without a name by number', async () => {
    answer(four)
    renderPage('/leaderboard')
    const podium = await screen.findByRole('list', { name: board.podium })
    expect(
      within(podium)
        .getAllByRole('listitem')
        .map((place) => place.textContent),
    ).toEqual(['AN1Ann$2,500.00', 'US2User17$1,234.56', 'CY2Cy$1,234.56'])
    const rows = within(screen.getByRole('list', { name: board.leaders })).getAllByRole('listitem')
    expect(rows.map((row) => row.textContent)).toEqual([
      '1ANAnn$2,500.00',
      '2USUser17$1,234.56',
      '2CYCy$1,234.56',
      '4DIDi$25.00',
    ])
    expect(within(rows[2]!).getByRole('img', { name: 'Silver, 2' })).toBeVisible()
    expect(screen.getByText('1,234')).toBeVisible()
  })

  it('links to public profiles', async () => {
    const user = { firstName: 'Eve', handle: 'eve' }
    stubApi({
      'GET /api/activity/recent': { body: [{ ...activity[0], user }] },
      'GET /api/leaderboard': { body: [{ ...four[0], handle: 'ann' }, four[1]], headers: { 'X-Total-Count': '2' } },
      'GET /api/leaderboard/me': { body: { rank: null, value: 0, position: null } },
    })
    renderPage('/leaderboard')
    const links = await screen.findAllByRole('link', { name: '@ann' })
    expect(links.map((link) => link.getAttribute('href'))).toEqual(['/u/ann', '/u/ann'])
    expect(await screen.findByRole('link', { name: '@eve' })).toHaveAttribute('href', '/u/eve')
  })

  it('counts packs in packs', async () => {
    answer([leader(1, 'Ann', 1500)])
    renderPage('/leaderboard?metric=PACKS')
    expect(await screen.findAllByText('1,500 packs')).toHaveLength(2)
  })

  it('highlights the visitor’s row', async () => {
    answer(four, { rank: 4, value: 2_500, position: 3 })
    renderPage('/leaderboard', signedIn)
    const row = (await screen.findByText(board.you)).closest('li')!
    expect(row).toHaveTextContent('Di')
    expect(screen.queryByText(board.yourRank('4'))).not.toBeInTheDocument()
  })

  it('shows the rank of a visitor outside the list', async () => {
    answer(four, { rank: 51_234, value: 2_500, position: null })
    renderPage('/leaderboard', signedIn)
    expect(await screen.findByText('Your rank: 51,234')).toBeVisible()
  })

  it('tells a visitor without opens how to get on the list', async () => {
    answer(four)
    renderPage('/leaderboard', signedIn)
    expect(await screen.findByText(board.notRanked)).toBeVisible()
    expect(screen.getByRole('link', { name: board.openPacks })).toHaveAttribute('href', '/open-packs')
  })

  it('shows the latest five opens, by name or as Anonymous', async () => {
    answer([])
    renderPage('/leaderboard?period=nonsense')
    const panel = await screen.findByRole('region', { name: board.activity })
    expect(await within(panel).findAllByRole('listitem')).toHaveLength(5)
    expect(within(panel).getByText('Anonymous')).toBeVisible()
    expect(within(panel).getAllByText('Opened Pokemon')).toHaveLength(5)
    expect(within(panel).queryByText('Eve')).not.toBeInTheDocument()
  })
})
