import { screen } from '@testing-library/react'
import { expect, it } from 'vitest'
import { renderPage } from '@test/render-page'
import { stubApi } from '@test/stub-api'

it('an unknown route shows the specified text', async () => {
  stubApi({})
  renderPage('/no/such/page')
  expect(await screen.findByRole('heading', { name: '404 Page Not Found' })).toBeInTheDocument()
  expect(screen.getByText('Did you forget to add the page to the router?')).toBeInTheDocument()
  expect(document.title).toBe('404 Page Not Found · Kaibao 开包')
})
