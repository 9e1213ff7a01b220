import { screen } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import type { Backups } from '@/contract/types'
import { someUser } from '@test/data'
import { renderPage, signedIn } from '@test/render-page'
import { stubApi } from '@test/stub-api'
import { admin as operate } from '@/features/admin/texts/en'

const admin = { ...signedIn, user: { ...someUser, role: 'admin' as const } }
const t = operate.backups

async function panelOf(body: Backups) {
  stubApi({
    'GET /api/admin/metrics': { body: { recentActivity: [], totals: {} } },
    'GET /api/admin/backups': { body },
  })
  renderPage('/admin?tab=settings', admin)
  const panel = await screen.findByRole('region', { name: t.title })
  await screen.findByText(t.lastBackup)
  return panel
}

describe('the backups of a shop', () => {
  it('are missing at first', async () => {
    const panel = await panelOf({ lastBackup: null, reportedBy: null, verified: false })
    expect(panel).toHaveTextContent(`${t.lastBackup}${t.never}${t.lastDrill}${t.never}`)
    expect(panel).not.toHaveTextContent(t.state)
  })

  it('are verified and proven by a drill', async () => {
    const panel = await panelOf({
      lastBackup: '2026-03-04T12:00:00.000Z',
      reportedBy: null,
      verified: true,
      lastDrill: {
        at: '2026-03-02T12:00:00.000Z',
        backup: 'kaibao-20260302T110000Z.tar.zst.age',
        signedAt: '2026-03-02T11:00:00.000Z',
        failure: null,
        lastSuccess: '2026-03-02T12:00:00.000Z',
      },
    })
    expect(panel).toHaveTextContent(/Mar 4, 2026.*Verified.*Mar 2, 2026.*Passed.*kaibao-20260302T110000Z/)
    expect(panel).not.toHaveTextContent(t.reportedBy)
  })

  it('are reported, and a drill proved one of them', async () => {
    const panel = await panelOf({
      lastBackup: '2026-03-04T12:00:00.000Z',
      reportedBy: 'pg_dump at night',
      verified: true,
      lastDrill: {
        at: '2026-03-02T12:00:00.000Z',
        backup: 'the backup in the scratch database',
        signedAt: null,
        failure: null,
        lastSuccess: '2026-03-02T12:00:00.000Z',
      },
    })
    expect(panel).toHaveTextContent(/Mar 4, 2026.*Reported; last drill passed.*pg_dump at night.*Passed/)
  })

  it('are reported, and a drill and a later backup failed', async () => {
    const panel = await panelOf({
      lastBackup: '2026-03-04T12:00:00.000Z',
      reportedBy: 'pg_dump at night',
      verified: false,
      lastFailure: { at: '2026-03-05T12:00:00.000Z', message: 'no space left on device' },
      lastDrill: {
        at: '2026-03-03T12:00:00.000Z',
        backup: 'night.dump',
        signedAt: null,
        failure: '2 rows break the rules of the books',
        lastSuccess: null,
      },
    })
    expect(panel).toHaveTextContent(/Reported, not verified.*pg_dump at night.*Failed/)
    expect(panel).toHaveTextContent(/The backup of Mar 5, 2026.* failed: no space left on device/)
    expect(panel).toHaveTextContent(/The drill of Mar 3, 2026.* failed: 2 rows break the rules of the books/)
  })
})
