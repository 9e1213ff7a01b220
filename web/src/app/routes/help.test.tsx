import { screen, within } from '@testing-library/react'
import { afterEach, expect, it, vi } from 'vitest'
import { help as t } from '@/features/help/texts/en'
import { shell } from '@/i18n/texts/en'
import { config } from '@/lib/config'
import { renderPage } from '@test/render-page'
import { stubApi } from '@test/stub-api'

const ordinary = { rules: { ...config.rules }, rates: { ...config.rates }, chat: config.chat }

afterEach(() => {
  Object.assign(config.rules, ordinary.rules)
  Object.assign(config.rates, ordinary.rates)
  Object.assign(config, { chat: ordinary.chat })
})

function show() {
  stubApi({})
  renderPage('/help')
}
const answer = async (question: string) => within(await screen.findByRole('region', { name: question }))

it('answers ten questions, and is linked in the sidebar and the footer', async () => {
  show()
  expect(await screen.findByRole('heading', { level: 1, name: t.title })).toBeVisible()
  expect(await screen.findAllByRole('heading', { level: 2, name: /\?$/ })).toHaveLength(10)
  for (const place of ['navigation', 'contentinfo'] as const) {
    const links = screen
      .getAllByRole(place)
      .flatMap((part) => within(part).queryAllByRole('link', { name: shell.nav.help }))
    expect(links.map((link) => link.getAttribute('href'))).toEqual(['/help'])
  }
})

it.each([
  [{}, t.rules.market],
  [{ market: false }, t.rules.noMarket],
  [{ minimumAge: 18 }, t.rules.age(18)],
  [{ minimumAge: 8, guardianBelow: 18 }, t.rules.guardian(18)],
  [{ highestPackCents: 2800 }, t.rules.price('$28.00')],
  [{ spentDayCents: 50_000 }, t.rules.spent('$500.00')],
  [{ opensDay: 7 }, t.rules.opens('7')],
  [{ secondsBetween: 3 }, t.rules.between(3)],
])('names the house rules in force: %o', async (changed, text) => {
  Object.assign(config.rules, changed)
  show()
  expect((await answer(t.rules.question)).getByText(text)).toBeVisible()
})

it('takes fees, percentages and amounts from the server', async () => {
  Object.assign(config.rates, { listing: 450, bid: 150, counter: 350 })
  show()
  const fees = await answer(t.fees.question)
  expect(fees.getByText(t.fees.selling(4.5, 1.5, 3.5))).toBeVisible()
  expect(fees.getByText(t.fees.notice(24))).toBeVisible()
  expect(fees.getByText(t.fees.sellBack(90))).toBeVisible()
  const points = await answer(t.points.question)
  expect(points.getByText(t.points.cashOut)).toBeVisible()
  expect(points.getByText(t.points.topUp('1', '10,000'))).toBeVisible()
})

it('promises neither sell-back nor trading where the rules switch them off', async () => {
  Object.assign(config.rules, { sellBack: false, market: false })
  show()
  const fees = await answer(t.fees.question)
  expect(fees.queryByText(/%/)).not.toBeInTheDocument()
  expect((await answer(t.refunds.question)).queryByText(/%/)).not.toBeInTheDocument()
})

it('says in the sandbox that points are free and nothing is shipped', async () => {
  vi.spyOn(config, 'sandbox', 'get').mockReturnValue(true)
  show()
  expect((await answer(t.points.question)).getByText(t.points.sandbox)).toBeVisible()
  expect((await answer(t.shipping.question)).getByText(t.shipping.sandbox)).toBeVisible()
})

it.each(['', 'https://chat.example'])('links to the chat if there is one: “%s”', async (chat) => {
  Object.assign(config, { chat })
  show()
  const support = await answer(t.support.question)
  expect(support.getByText(chat ? t.support.chat : t.support.none)).toBeVisible()
  expect(support.queryByRole('link', { name: t.support.chatLink })?.getAttribute('href') ?? '').toBe(chat)
})
