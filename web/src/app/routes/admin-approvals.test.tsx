import { act, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, it } from 'vitest'
import { admin as operate, approvals } from '@/features/admin/texts/en'
import { someUser } from '@test/data'
import { renderPage, signedIn } from '@test/render-page'
import { stubApi } from '@test/stub-api'
import { expectToast } from '@test/expect-toast'

const admin = { ...signedIn, user: { ...someUser, role: 'admin' as const } }

const asked = {
  id: '2',
  kind: 'credit' as const,
  subject: 'user 7nK7ipVhdWxDmX7EX2DRYm2SG7kuaCQDn9BrngJU8v3b',
  payload: { amount: 600, walletAddress: '7nK7ipVhdWxDmX7EX2DRYm2SG7kuaCQDn9BrngJU8v3b', reason: 'a prize' },
  reason: 'a prize',
  askedBy: 'FAjH9rUMFLGWrmRHZLvTTgodk752Z48KhYoQ4guCZXua',
  createdAt: '2026-03-04T12:00:00.000Z',
  expiresAt: '2026-03-07T12:00:00.000Z',
  state: 'pending' as const,
}

const own = {
  ...asked,
  id: '1',
  kind: 'accept-loss' as const,
  payload: { acceptedLossCents: -1 },
  askedBy: someUser.walletAddress,
}

it('approves another admin’s request with a reason, and offers no decision on own requests', async () => {
  const seen = stubApi({
    'GET /api/admin/metrics': { body: { recentActivity: [], totals: { approvals: 2 } } },
    'GET /api/admin/approvals': { body: [asked, own] },
    'GET /api/admin/users': { body: [] },
    'POST /api/admin/approvals/2': { body: { ...asked, state: 'approved' } },
  })
  renderPage('/admin?tab=approvals', admin)
  const [first, second] = await screen.findAllByRole('article')
  expect(screen.getByRole('tab', { name: operate.approvalsTab(2) })).toBeVisible()
  expect(first).toHaveTextContent('$600.00')
  expect(second).toHaveTextContent(approvals.withoutBound)
  expect(second).toHaveTextContent(approvals.own)
  expect(within(second!).queryByRole('button')).not.toBeInTheDocument()

  await act(() =>
    userEvent.click(within(first!).getByRole('button', { name: approvals.approveOf(approvals.kinds.credit) })),
  )
  const dialog = await screen.findByRole('dialog')
  expect(dialog).toHaveTextContent(/7nK7ip.*8v3b.*FAjH9r\.\.\.ZXua.*a prize/)
  const approve = within(dialog).getByRole('button', { name: approvals.approve })
  await userEvent.click(approve)
  expect(await within(dialog).findByText(approvals.required)).toBeVisible()
  await userEvent.type(within(dialog).getByRole('textbox', { name: approvals.reason }), 'They won it.')
  await userEvent.click(approve)
  await expectToast(approvals.done)
  const sent = seen.find(({ method }) => method === 'POST')!
  expect(await sent.clone().json()).toEqual({ decision: 'approve', reason: 'They won it.' })
})

it('shows the name of the user whom a request is about', async () => {
  const id = '0197a6c2-1111-7222-8333-444455556666'
  stubApi({
    'GET /api/admin/metrics': { body: { recentActivity: [], totals: { approvals: 1 } } },
    'GET /api/admin/approvals': { body: [{ ...asked, kind: 'promote', subject: `user ${id}`, payload: {} }] },
    'GET /api/admin/users': { body: [{ ...someUser, id, firstName: 'Ann' }] },
  })
  renderPage('/admin?tab=approvals', admin)
  await act(async () =>
    userEvent.click(await screen.findByRole('button', { name: approvals.refuseOf(approvals.kinds.promote) })),
  )
  const dialog = await screen.findByRole('dialog')
  expect(await within(dialog).findByText('Ann')).toBeVisible()
})

it('shows the requested fees and their start time', async () => {
  const payload = { listing: 450, bid: 150, counter: 0, effectiveAt: '2026-03-09T12:00:00Z' }
  stubApi({
    'GET /api/admin/metrics': { body: { recentActivity: [], totals: { approvals: 1 } } },
    'GET /api/admin/approvals': { body: [{ ...asked, kind: 'change-rates', subject: 'rates', payload }] },
  })
  renderPage('/admin?tab=approvals', admin)
  expect(await screen.findByRole('article')).toHaveTextContent(
    /Marketplace 4\.5%, bids 1\.5%, counter-offers 0%, from Mar 9, 2026, .* at the earliest/,
  )
})

it('shows the requested value increases, and decisions made by command', async () => {
  const raise = (n: number) => ({ itemId: `pkm-${n}`, name: `Card ${n}`, fromCents: 2500, baseValueCents: 100_000 })
  const slip = { itemId: 'pkm-99', name: 'Slip', fromCents: 2500, baseValueCents: 100_000_000 }
  stubApi({
    'GET /api/admin/metrics': { body: { recentActivity: [], totals: { approvals: 2 } } },
    'GET /api/admin/approvals': {
      body: [
        {
          ...asked,
          kind: 'value',
          subject: 'item pkm-1',
          payload: { source: 'An auction', gainCents: 1_234_00, values: [raise(1)] },
        },
        {
          ...asked,
          id: '3',
          kind: 'value',
          subject: 'catalogue',
          state: 'approved',
          decidedAt: asked.createdAt,
          payload: {
            source: 'import',
            gainCents: 0,
            values: [...Array.from({ length: 11 }, (_, n) => raise(n)), slip],
          },
        },
      ],
    },
  })
  renderPage('/admin?tab=approvals', admin)
  const [one, many] = await screen.findAllByRole('article')
  expect(one).toHaveTextContent('$25.00 → $1,000.00')
  expect(within(one!).getByText('Card 1')).toBeVisible()
  expect(one).toHaveTextContent(/An auction.*\$1,234\.00/)
  expect(many).toHaveTextContent(approvals.values(12))
  expect(within(many!).getAllByRole('listitem')[0]).toHaveTextContent('Slip$25.00 → $1,000,000.0040,000×')
  expect(within(many!).getByText(approvals.more(2))).toBeVisible()
  expect(many).toHaveTextContent(approvals.byCommand)
})
