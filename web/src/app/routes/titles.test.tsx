import { screen, waitFor } from '@testing-library/react'
import { beforeEach, expect, it } from 'vitest'
import { visits } from '@test/visits'
import { renderPage } from '@test/render-page'
import { notFound, stubApi } from '@test/stub-api'

beforeEach(() => {
  document.title = 'the page before'
})

const [home, ...others] = visits.map(({ at }) => at)
const packs = others.flatMap((at) => /^\/pack\/(.+)$/.exec(at)?.[1] ?? [])

const answers = {
  ...Object.fromEntries(packs.map((id) => [`GET /api/packs/${id}`, notFound])),
  'GET /api/items/pkm-001': notFound,
  'GET /api/items/unknown': notFound,
  'GET /api/sets': { body: [] },
  'GET /api/sets/06f56633a595be07e7e8d900ae5d2c63': notFound,
  'GET /api/sets/unknown': notFound,
  'GET /api/packs': { body: [] },
  'GET /api/leaderboard': { body: [], headers: { 'X-Total-Count': '0' } },
  'GET /api/activity/recent': { body: [] },
  'GET /api/activity': { body: [] },
  'GET /api/pulls/top': { body: [] },
  'GET /log/key': notFound,
  'GET /api/fairness/draws': notFound,
  'GET /api/books': notFound,
  'GET /api/fairness/opens/unknown': notFound,
  'GET /api/pulls/unknown': notFound,
  'GET /api/profiles/unknown': notFound,
  'POST /api/gifts/unknown/view': notFound,
}

it.each(others)('%s has its own document title when signed out', async (path) => {
  stubApi(answers)
  renderPage(path)
  await waitFor(() => expect(document.title).toMatch(/^[\p{Lu}\d].+ · Kaibao 开包$/u))
})

it('the start page has the product’s title', async () => {
  stubApi(answers)
  renderPage(home!)
  await screen.findByRole('heading', { level: 1 })
  await waitFor(() => expect(document.title).toBe('Kaibao 开包'))
})
