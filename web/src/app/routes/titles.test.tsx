import { screen, waitFor } from '@testing-library/react'
import { beforeEach, expect, it } from 'vitest'
import { pages } from '../shell/pages'
import { renderPage } from '@/test/render-page'
import { stubApi } from '@/test/stub-api'

beforeEach(() => {
  document.title = 'the page before'
})

const { home, ...others } = pages

it.each([...Object.values(others), '/pack/999', '/checkout/2', '/verify/unknown', '/no-such-page'])(
  '%s names itself in the browser’s tab, signed out',
  async (path) => {
    stubApi({})
    renderPage(path)
    await waitFor(() => expect(document.title).toMatch(/^[\p{Lu}\d].+ · Kaibao 开包$/u))
  },
)

it('the start page is the product’s own', async () => {
  stubApi({})
  renderPage(home)
  await screen.findByRole('heading', { level: 1 })
  await waitFor(() => expect(document.title).toBe('Kaibao 开包'))
})
