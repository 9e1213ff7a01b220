import { screen, within } from '@testing-library/react'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { opens as t } from '@/features/inventory/texts/en'
import { balance } from '@/features/wallet/texts/en'
import { advanceTime } from '@test/fixtures/opening'
import { newSealedServer, type SealedOpen } from '@test/fixtures/sealed'
import { renderPage, signedIn } from '@test/render-page'
import { type Answers, stubApi } from '@test/stub-api'

let one: SealedOpen
let answers: Answers
const openPath = 'GET /api/opens/open-12' as never

beforeEach(async () => {
  one = await (await newSealedServer()).open('x')
  answers = { 'GET /api/opens': { body: [one.ordered] }, [openPath]: { body: one.ordered } }
  stubApi(answers)
})

const card = () => screen.findByRole('article')

describe('pull history', () => {
  it('counts an order down to its round, without buttons that need a result', async () => {
    renderPage('/my-opens', signedIn)
    expect(await within(await card()).findByText(t.drawing)).toBeVisible()
    expect(await within(await card()).findByText(/^Unlocks with round 657,413, in \d seconds\.$/)).toBeVisible()
    expect(within(await card()).queryByRole('link', { name: t.verify })).toBeNull()
    expect(within(await card()).queryByText(t.total)).toBeNull()
    expect(within(await card()).queryByText(t.serverSeed)).toBeNull()
  })

  it('finishes it once it is drawn', async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true })
    renderPage('/my-opens', signedIn)
    await within(await card()).findByText(t.drawing)
    Object.assign(answers, { 'GET /api/opens': { body: [one.drawn] }, [openPath]: { body: one.drawn } })
    await advanceTime(4500)
    expect(await screen.findByText('Card 12-1')).toBeVisible()
    expect(screen.queryByText(t.drawing)).toBeNull()
    expect(screen.getByRole('link', { name: t.verify })).toBeVisible()
    vi.useRealTimers()
  })

  it('says that a late order is safe, and which round draws it', async () => {
    const order = { ...one.ordered.order!, roundInMs: 0, roundAt: new Date(Date.now() - 60_000).toISOString() }
    answers[openPath] = { body: { ...one.ordered, order } } as never
    renderPage('/my-opens', signedIn)
    expect(await screen.findByText(t.late('657,413'))).toBeVisible()
  })

  it.each(['no-beacon', 'lost'] as const)('says that a voided order was refunded: %s', async (voidReason) => {
    const order = { ...one.ordered.order!, voidReason }
    answers['GET /api/opens'] = { body: [{ ...one.ordered, state: 'void', order }] }
    renderPage('/my-opens', signedIn)
    expect(await screen.findByText(t.refunded)).toBeVisible()
    expect(screen.getByText(t.voided[voidReason])).toBeVisible()
  })
})

it('the balance history says what is paid and not drawn yet', async () => {
  const line = (ref: string) => ({
    id: `t-${ref}`,
    kind: 'open',
    amountCents: -2500,
    balanceCents: 10_000,
    refKind: 'open',
    ref,
    createdAt: '2026-11-28T14:03:21.000Z',
  })
  Object.assign(answers, {
    'GET /api/wallet': { body: { balanceCents: 10_000, heldCents: 0 } },
    'GET /api/wallet/transactions': { body: [line('open-12'), line('open-11')] },
  })
  renderPage('/balance', signedIn)
  expect(await screen.findByRole('link', { name: balance.notDrawn })).toHaveAttribute('href', '/my-opens')
  expect(await screen.findByRole('link', { name: balance.kinds.open })).toHaveAttribute('href', '/verify/open-11')
})
