import { screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, it } from 'vitest'
import { list, log as trail } from '@/features/admin/texts/en'
import { startOfDay } from '@/lib/start-of-day'
import { someUser } from '@test/data'
import { renderPage, signedIn } from '@test/render-page'
import { stubApi } from '@test/stub-api'

const admin = { ...signedIn, user: { ...someUser, role: 'admin' as const } }

const given = {
  id: '2',
  act: 'deposit-manual',
  path: '/api/wallet/deposit/manual',
  by: 'admin' as const,
  walletAddress: 'FAjH9rUMFLGWrmRHZLvTTgodk752Z48KhYoQ4guCZXua',
  subject: 'user 7nK7ipVhdWxDmX7EX2DRYm2SG7kuaCQDn9BrngJU8v3b',
  before: { balanceCents: 0 },
  after: { balanceCents: 500 },
  reason: 'a prize',
  request: { amount: 5 },
  createdAt: '2026-03-04T12:00:00.000Z',
}

const imported = {
  ...given,
  id: '1',
  act: 'unheard-of',
  by: 'program' as const,
  walletAddress: '',
  subject: 'catalogue',
  before: null,
  after: null,
  reason: '',
}

it('shows who changed what from and to which value, finds acts, and exports the results', async () => {
  const seen = stubApi({
    'GET /api/admin/metrics': { status: 500, body: {} },
    'GET /api/admin/audit': { body: [given, imported] },
  })
  renderPage('/admin?tab=trail', admin)
  const [first, second] = await screen.findAllByRole('article')
  expect(within(first!).getByRole('heading', { name: trail.acts['deposit-manual'] })).toBeVisible()
  expect(within(first!).getByRole('row', { name: 'Balance $0.00 $5.00' })).toBeVisible()
  expect(first).toHaveTextContent('FAjH9r...ZXua')
  expect(within(second!).getByRole('heading', { name: 'unheard-of' })).toBeVisible()
  expect(second).toHaveTextContent(trail.program)
  expect(second).toHaveTextContent(trail.unchanged)

  await userEvent.type(screen.getByRole('searchbox', { name: trail.search }), ' prize ')
  await userEvent.selectOptions(screen.getByRole('combobox', { name: trail.act }), 'set-role')
  await userEvent.type(screen.getByLabelText(trail.to), '2026-03-04')
  await userEvent.click(screen.getByRole('button', { name: list.search }))
  await expect
    .poll(() => Object.fromEntries(new URL(seen.at(-1)!.url).searchParams))
    .toEqual({ search: 'prize', act: 'set-role', to: startOfDay('2026-03-04', 1) })
  const file = new URL(screen.getByRole<HTMLAnchorElement>('link', { name: trail.csv }).href)
  expect(Object.fromEntries(file.searchParams)).toEqual({
    search: 'prize',
    act: 'set-role',
    to: startOfDay('2026-03-04', 1),
    format: 'csv',
  })
})
