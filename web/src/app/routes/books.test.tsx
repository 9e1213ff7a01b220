import { screen, within } from '@testing-library/react'
import { expect, it } from 'vitest'
import { books as t } from '@/features/publicbooks/texts/en'
import type { Books } from '@/contract/types'
import { renderPage } from '@test/render-page'
import { type Answers, stubApi } from '@test/stub-api'

const someBooks: Books = {
  at: '2026-03-04T12:00:00.000Z',
  points: {
    depositsCents: 500_00,
    giftsCents: 0,
    creditsCents: 70_00,
    spentCents: 125_00,
    opens: 5,
    soldBackCents: 45_00,
    soldBack: 3,
    refundedCents: 10_00,
    uncoveredCents: 0,
    salesCents: 20_00,
    sales: 1,
    feesCents: 1_00,
    shippingCents: 0,
    returnedCents: 0,
    lossesCents: 0,
    debitsCents: 0,
    forfeitsCents: 0,
    outstandingCents: 479_00,
  },
  ledger: {
    accounts: 2,
    usersCents: 479_00,
    house: [
      { name: 'packs', balanceCents: 125_00 },
      { name: 'paid', balanceCents: -490_00 },
    ],
    houseCents: -479_00,
    balanceCents: 0,
  },
  exposure: { entries: 22, worstCents: 310_00, byFloorCents: 12_00 },
  packs: [
    { packId: '2', name: 'Pokemon', acceptedLossCents: null, drawsLossCents: null, beyondQuotesCents: 0 },
    { packId: '8', name: 'Deluxe', acceptedLossCents: -1, drawsLossCents: 300_00, beyondQuotesCents: 1_00 },
  ],
  closedDay: '2026-03-03',
  lastBackup: null,
  approvedByCommand: 0,
  lastAudit: '2026-03-04T03:00:00.000Z',
}

const show = (body: Books, more: Answers = {}) => {
  stubApi({
    'GET /api/books': { body },
    'GET /api/fairness/draws': { body: { opens: 0, countedTo: 0, packs: [] } },
    ...more,
  })
  renderPage('/books')
}

it('shows where points came from, and that all accounts sum to zero', async () => {
  show(someBooks)
  const points = await screen.findByRole('table', { name: t.points })
  expect(within(points).getByRole('row', { name: `${t.lines.soldBack} 3 45.00` })).toBeVisible()
  expect(within(points).getByRole('row', { name: `${t.lines.outstanding} 479.00` })).toBeVisible()
  const ledger = screen.getByRole('table', { name: t.ledger })
  expect(within(ledger).getByRole('row', { name: `${t.sum} 0.00` })).toBeVisible()
  expect(screen.getByText(t.balanced)).toBeVisible()
  expect(within(screen.getByRole('region', { name: t.exposure })).getByText('310.00')).toBeVisible()
  const packs = screen.getByRole('table', { name: t.packs })
  expect(within(packs).getByRole('row', { name: `Pokemon ${t.none} ${t.uncounted} 0.00` })).toBeVisible()
  expect(within(packs).getByRole('row', { name: `Deluxe ${t.any} 300.00 1.00` })).toBeVisible()
  expect(within(screen.getByRole('region', { name: t.care })).getByText(t.never)).toBeVisible()
})

it('warns when the books don’t balance', async () => {
  show({ ...someBooks, ledger: { ...someBooks.ledger, balanceCents: 1 } })
  expect(await screen.findByText(t.unbalanced)).toBeVisible()
  expect(screen.queryByText(t.balanced)).toBeNull()
})
