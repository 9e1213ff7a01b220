import { screen, within } from '@testing-library/react'
import { expect, it } from 'vitest'
import type { AdminOpen, AdminUserPage } from '@/contract/types'
import { someUser } from '@test/data'
import { renderPage, signedIn } from '@test/render-page'
import { stubApi } from '@test/stub-api'
import { user as t } from '@/features/admin/texts/en'

const admin = { ...signedIn, user: { ...someUser, role: 'admin' as const } }

const mei: AdminUserPage = {
  id: 'mei',
  walletAddress: 'Mei1111111111111111111111111111111111111111',
  userTag: 'a1b2c3',
  firstName: 'Mei',
  handle: '',
  picture: '',
  role: 'user',
  frozen: false,
  pagesHidden: false,
  profileLocked: false,
  public: false,
  notes: 0,
  limits: { limits: [], realityMinutes: null },
  balanceCents: 1000,
  heldCents: 0,
  entries: { count: 1, valueCents: 500, listed: 0, rarities: 1, vaultedCount: 0, vaultedValueCents: 0 },
  opens: 3,
  openBids: 0,
  sessions: 1,
  createdAt: '2026-03-01T12:00:00.000Z',
}

function openOf(nonce: number, state: AdminOpen['state']): AdminOpen {
  const isDrawn = state === 'open'
  return {
    openId: `open-${nonce}`,
    state,
    userId: 'mei',
    walletAddress: 'Mei1111111111111111111111111111111111111111',
    packId: '8',
    packName: `Vault ${nonce}`,
    priceCents: 45_000,
    totalValueCents: isDrawn ? 120_000 : 0,
    items: isDrawn
      ? [{ inventoryId: 'entry', itemId: 'toy', name: 'Toy', valueCents: 120_000, state: 'held', ownerId: 'mei' }]
      : [],
    nonce,
    manifestHash: 'aa',
    createdAt: '2026-03-04T12:00:00.000Z',
  }
}

it('shows a user’s opens, also those that wait for their draw or were refunded', async () => {
  stubApi({
    'GET /api/admin/users/mei': { body: mei },
    'GET /api/admin/opens': { body: [openOf(2, 'sealed'), openOf(1, 'void'), openOf(0, 'open')] },
  })
  renderPage('/admin/users/mei?tab=opens', admin)
  const [pending, voided, drawn] = await screen.findAllByRole('article')
  expect(pending).toHaveTextContent(/Open of Vault 2Paid, not drawn yet.*Price\$450\.00/)
  expect(voided).toHaveTextContent(/Open of Vault 1Not drawn, refunded.*Price\$450\.00/)
  expect(drawn).toHaveTextContent(/Open of Vault 0.*Price\$450\.00Value\$1,200\.00.*Toy/)
  for (const undrawn of [pending!, voided!]) {
    expect(undrawn).not.toHaveTextContent(`${t.value}$`)
    expect(within(undrawn).queryByRole('link')).not.toBeInTheDocument()
    expect(within(undrawn).queryByRole('list')).not.toBeInTheDocument()
  }
  expect(within(drawn!).getByRole('link', { name: 'Open of Vault 0' })).toHaveAttribute('href', '/verify/open-0')
})
