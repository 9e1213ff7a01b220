import { screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { profile as t } from '@/features/profiles/texts/en'
import type { Profile } from '@/contract/types'
import { config } from '@/lib/config'
import { pokemonDetail, someUser } from '@test/data'
import { renderPage, signedIn, signedOut } from '@test/render-page'
import { notFound, stubApi } from '@test/stub-api'

const [charizard] = pokemonDetail.showcase
const item = { ...charizard!, name: 'Charizard' }
const empty: Profile = {
  handle: 'ann',
  firstName: '',
  picture: '',
  memberSince: '2026-11',
  showcase: [],
  sets: [],
  bestPulls: [],
  listings: [],
  previewUrl: '/media/previews/u/ann.png?v=1',
  language: 'en',
}
const full: Profile = {
  ...empty,
  firstName: 'Ann Lee',
  showcase: [{ item, valueCents: 12_345 }],
  sets: [
    { id: 's1', series: 'Pokemon', setName: '1999 Base', owned: 3, total: 4 },
    { id: 's2', series: 'Starter', owned: 2, total: 2 },
  ],
  bestPulls: [
    { item, valueCents: 9900, pack: { id: '2', name: 'Pokemon' }, createdAt: '2026-11-28T14:03:00Z', openId: 'o1' },
    { item, valueCents: 8800, pack: { id: '2', name: 'Pokemon' }, createdAt: '2026-11-28T14:02:00Z' },
  ],
  listings: [{ item, priceCents: 15_000 }],
}

const show = (body: Profile, session = signedOut) => {
  stubApi({ 'GET /api/profiles/ann': { body } })
  renderPage('/u/ann', session)
}
const section = (name: string) => within(screen.getByRole('region', { name }))

it('shows what a collector shows: cards, pulls, sets and listings', async () => {
  show(full)
  expect(await screen.findByRole('heading', { level: 1, name: 'Ann Lee' })).toBeVisible()
  expect(screen.getByText('@ann')).toBeVisible()
  expect(screen.getByText(t.since('November 2026'))).toBeVisible()
  expect(section(t.showcase).getByRole('link', { name: 'Charizard' })).toHaveAttribute('href', '/item/pkm-001')
  const pulls = section(t.best).getAllByRole('article')
  expect(within(pulls[0]!).getByRole('link', { name: t.seePull })).toHaveAttribute('href', '/pull/o1')
  expect(within(pulls[1]!).queryByRole('link', { name: t.seePull })).not.toBeInTheDocument()
  expect(section(t.sets).getByRole('link', { name: '1999 Base' })).toHaveAttribute('href', '/sets/s1')
  expect(section(t.sets).getByText(t.progress(3, 4))).toBeVisible()
  expect(section(t.sets).getByText(t.complete)).toBeVisible()
  expect(section(t.listings).getByText('150.00')).toBeVisible()
  expect(screen.getByRole('button', { name: t.share.share })).toBeEnabled()
  expect(screen.queryByRole('link', { name: t.edit })).not.toBeInTheDocument()
  await waitFor(() => expect(document.title).toBe('Ann Lee (@ann) · Kaibao 开包'))
})

it('says what isn’t there yet, and shows the handle of a collector without a name', async () => {
  show(empty)
  expect(await screen.findByRole('heading', { level: 1, name: '@ann' })).toBeVisible()
  for (const text of [t.noShowcase, t.noBest, t.noSets, t.noListings]) expect(screen.getByText(text)).toBeVisible()
})

it('leads its owner to the settings', async () => {
  show(empty, { ...signedIn, user: { ...someUser, handle: 'ann' } })
  expect(await screen.findByRole('link', { name: t.edit })).toHaveAttribute('href', '/account#profile')
  expect(screen.getByText(t.ownShowcase)).toBeVisible()
})

describe('where there is no market', () => {
  beforeEach(() => void (config.rules.market = false))
  afterEach(() => void (config.rules.market = true))

  it('has no listings', async () => {
    show(full)
    expect(await screen.findByRole('heading', { level: 1, name: 'Ann Lee' })).toBeVisible()
    expect(screen.queryByRole('region', { name: t.listings })).not.toBeInTheDocument()
  })
})

it.each(['/u/ann', '/u/Ann'])('says that there is no public profile at %s', async (path) => {
  stubApi({ 'GET /api/profiles/ann': notFound })
  renderPage(path)
  expect(await screen.findByRole('heading', { level: 1, name: t.unknown })).toBeVisible()
})
