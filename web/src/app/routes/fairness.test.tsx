import { screen, within } from '@testing-library/react'
import { beforeEach, expect, it } from 'vitest'
import { draws, honestSite, type Site, stubSite } from '@test/fixtures/proofs'
import { fairness as t } from '@/features/proofs/texts/en'
import { newWitness } from '@test/fixtures/protocol'
import { renderPage } from '@test/render-page'

let site: Site

beforeEach(async () => {
  site = await honestSite()
  stubSite(site)
})

it('shows the state of the log and links to it', async () => {
  renderPage('/fairness')
  const log = await screen.findByRole('region', { name: t.log })
  expect(await within(log).findByText('1,234')).toBeVisible()
  expect(within(log).getByText(draws.checkpoint!.root)).toBeVisible()
  expect(within(log).getByRole('link', { name: t.keyLink })).toHaveAttribute('href', '/log/key')
  expect(within(log).getByRole('link', { name: t.checkpointLink })).toHaveAttribute('href', '/log/checkpoint')
  expect(screen.getByText(`kaibao verify log ${window.location.origin}`)).toBeVisible()
})

it('shows realized odds next to published odds', async () => {
  renderPage('/fairness')
  const book = await screen.findByRole('article', { name: 'Pokemon' })
  expect(within(book).getByRole('row', { name: '$5-15 75% 2 2.3' })).toBeVisible()
  expect(within(book).getByText(t.packOpens(3))).toBeVisible()
  expect(within(book).getByText(t.likely('74 of 100'))).toBeVisible()
})

it('says what this doesn’t prove', async () => {
  renderPage('/fairness')
  for (const { title } of t.limitsText) expect(await screen.findByRole('heading', { name: title })).toBeVisible()
})

it('says who the log’s witnesses are, and how many must sign', async () => {
  const witnesses = await Promise.all(['a.test/w', 'b.test/w', 'c.test/w'].map((name) => newWitness(name)))
  const lines = witnesses.map(({ verifierKey }) => `witness ${verifierKey}\n`).join('')
  site.answers['/log/witnesses'] = () => new Response(`quorum 2\n${lines}`)
  renderPage('/fairness')
  expect(await screen.findByText(t.sealed.witnesses.quorum(2, 3))).toBeVisible()
  for (const name of ['a.test/w', 'b.test/w', 'c.test/w']) expect(screen.getByText(name)).toBeVisible()
  expect(screen.getByRole('link', { name: t.sealed.witnesses.name })).toHaveAttribute('href', '/verify')
})

it('says that the log has no witnesses', async () => {
  renderPage('/fairness')
  expect(await screen.findByText(t.sealed.witnesses.none)).toBeVisible()
})

it('reports a failed load of the statistics', async () => {
  delete site.answers['/api/fairness/draws']
  renderPage('/fairness')
  expect(await screen.findByText(t.booksFailed)).toBeVisible()
  expect(screen.getByText(t.logFailed)).toBeVisible()
})
