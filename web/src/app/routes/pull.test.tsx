import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, expect, it, vi } from 'vitest'
import { leaderboard } from '@/features/leaderboard/texts/en'
import { pull as t } from '@/features/pulls/texts/en'
import type { SharedPull } from '@/contract/types'
import { dismissToast } from '@/lib/toast'
import { pokemonDetail } from '@test/data'
import { expectToast } from '@test/expect-toast'
import { renderPage } from '@test/render-page'
import { notFound, stubApi } from '@test/stub-api'

const { topPulls } = leaderboard
const [charizard] = pokemonDetail.showcase
const card = (n: number): SharedPull['items'][number] => ({
  item: { ...charizard!, id: `pkm-${n}`, name: `Card ${n}` },
  valueCents: 10_000 - n,
})
const somePull = (cards: number, more: Partial<SharedPull> = {}): SharedPull => ({
  openId: 'o1',
  pack: { id: '2', name: 'Pokemon' },
  priceCents: 2500,
  createdAt: '2026-11-28T14:03:00Z',
  items: Array.from({ length: cards }, (_, at) => card(at + 1)),
  totalValueCents: 12_300,
  previewUrl: '/media/previews/pull/o1.png?v=1',
  language: 'en',
  ...more,
})

const show = (body: SharedPull) => {
  stubApi({ 'GET /api/pulls/o1': { body } })
  renderPage('/pull/o1')
}

beforeEach(dismissToast)

it('shows one card with its value, pack, time and proof, but no name', async () => {
  show(somePull(1))
  const heading = await screen.findByRole('heading', { level: 1, name: 'Card 1' })
  expect(within(heading).getByRole('link')).toHaveAttribute('href', '/item/pkm-1')
  expect(screen.getByText('$123.00')).toBeVisible()
  expect(screen.getByText(t.from('Pokemon', '25'))).toBeVisible()
  expect(screen.getByRole('link', { name: t.verifiedText })).toHaveAttribute('href', '/verify/o1')
  expect(screen.getByRole('link', { name: t.openPack })).toHaveAttribute('href', '/pack/2')
  expect(screen.queryByText(t.by)).not.toBeInTheDocument()
  await waitFor(() => expect(document.title).toBe('Card 1 · Kaibao 开包'))
})

it('shows several cards, and who pulled them', async () => {
  show(somePull(5, { player: { handle: 'ann', firstName: 'Ann Lee', picture: '' } }))
  expect(await screen.findByRole('heading', { level: 1, name: t.title(5, 'Pokemon') })).toBeVisible()
  const cards = within(screen.getByRole('list', { name: t.cards })).getAllByRole('listitem')
  expect(cards.map((one) => within(one).getByRole('link', { name: /^Card/ }).getAttribute('href'))).toEqual(
    [1, 2, 3, 4, 5].map((n) => `/item/pkm-${n}`),
  )
  expect(cards[0]).toHaveTextContent('$99.99')
  expect(screen.getByText('Ann Lee')).toBeVisible()
  expect(screen.getByRole('link', { name: '@ann' })).toHaveAttribute('href', '/u/ann')
})

it('shows the top pulls of its pack', async () => {
  const pull = { item: card(9).item, valueCents: 77_700, createdAt: '2026-11-28T14:00:00Z', pack: somePull(1).pack }
  const seen = stubApi({ 'GET /api/pulls/o1': { body: somePull(1) }, 'GET /api/pulls/top': { body: [pull] } })
  renderPage('/pull/o1')
  const top = within(await screen.findByRole('region', { name: topPulls.title }))
  expect(await top.findByRole('article')).toHaveTextContent('$777')
  expect(top.getByText(topPulls.ofPack)).toBeVisible()
  expect(seen.map(({ url }) => url)).toContainEqual(expect.stringMatching(/\/api\/pulls\/top\?period=week&packId=2$/))
})

it('shares its link with the device, or copies it', async () => {
  const user = userEvent.setup()
  const share = vi.fn(() => Promise.resolve())
  show(somePull(1))
  const button = await screen.findByRole('button', { name: t.share.share })
  await user.click(button)
  await expectToast(t.share.copied)
  const url = `${location.origin}/pull/o1`
  expect(await navigator.clipboard.readText()).toBe(url)
  await navigator.clipboard.writeText('nothing')
  vi.stubGlobal('navigator', { ...navigator, share })
  await user.click(button)
  expect(share).toHaveBeenCalledWith({ title: 'Card 1', url })
  vi.unstubAllGlobals()
  expect(await navigator.clipboard.readText()).toBe('nothing')
})

it.each([
  ['isn’t shared', '/pull/o1'],
  ['has an impossible id', '/pull/O_1'],
])('says that a pull isn’t shared if it %s', async (_, path) => {
  stubApi({ 'GET /api/pulls/o1': notFound })
  renderPage(path)
  expect(await screen.findByRole('heading', { level: 1, name: t.unknown })).toBeVisible()
  expect(screen.getByRole('link', { name: t.toPacks })).toHaveAttribute('href', '/open-packs')
})
