import { screen } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import type { SealedState } from '@/contract/types'
import { someUser } from '@test/data'
import { renderPage, signedIn } from '@test/render-page'
import { stubApi } from '@test/stub-api'
import { sealed as t } from '@/features/admin/sealed/texts/en'

const admin = { ...signedIn, user: { ...someUser, role: 'admin' as const } }

const calm: SealedState = {
  packs: [],
  lateRounds: [],
  beacon: { name: 'quicknet', chain: '52db', checked: false, clockReady: false, problem: 'no new round yet' },
}

const witnesses: NonNullable<SealedState['witnesses']> = {
  quorum: 2,
  fresh: true,
  lastQuorumAt: '2026-03-04T12:00:00.000Z',
  uncosigned: 0,
  wantedSince: null,
  behind: false,
  witnesses: [
    { name: 'one.example/1', url: 'https://one.example', cosignedAt: '2026-03-04T12:00:00.000Z', cosignedSize: 4711 },
    {
      name: 'two.example/1',
      url: 'https://two.example',
      cosignedAt: null,
      cosignedSize: 0,
      lastFailure: { at: '2026-03-04T11:00:00.000Z', result: 'refused', cause: 'it answered with status 403' },
    },
  ],
}

async function panelsOf(change: Partial<SealedState>) {
  stubApi({
    'GET /api/admin/metrics': { body: { recentActivity: [], totals: {} } },
    'GET /api/admin/sealed': { body: { ...calm, ...change } },
  })
  renderPage('/admin?tab=sealed', admin)
  const region = (name: string) => screen.findByRole('region', { name })
  return { orders: await region(t.orders), beacon: await region(t.beacon), witnesses: await region(t.witnesses) }
}

describe('the state of sealed packs', () => {
  it('says that nothing waits', async () => {
    const panels = await panelsOf({})
    expect(panels.orders).toHaveTextContent(`${t.orders}${t.noOrders}${t.late}${t.noLate}`)
    expect(panels.beacon).toHaveTextContent(`quicknet${t.clock}${t.unchecked}${t.lastRound}${t.none}`)
    expect(panels.beacon).not.toHaveTextContent('no new round yet') // no sealed pack is on sale
    expect(panels.witnesses).toHaveTextContent(t.noWitnesses)
  })

  it('shows waiting orders, late rounds and when refunds begin', async () => {
    const { orders } = await panelsOf({
      packs: [
        {
          packId: '8',
          packName: 'Vault',
          orders: 3,
          oldestAt: '2026-03-04T12:00:00.000Z',
          oldestAgeMs: 185_000,
          round: 1234,
          roundAt: '2026-03-04T12:00:03.000Z',
          lateMs: 182_000,
        },
        {
          packId: '9',
          packName: 'Dusk',
          orders: 1,
          oldestAt: '2026-03-04T12:03:04.000Z',
          oldestAgeMs: 1_400,
          round: 1296,
          roundAt: '2026-03-04T12:03:09.000Z',
          lateMs: 0,
        },
      ],
      lateRounds: [
        {
          beacon: 'quicknet',
          round: 1234,
          roundAt: '2026-03-04T12:00:03.000Z',
          lateMs: 182_000,
          orders: 2,
          published: false,
          refundsAt: '2026-03-05T12:00:03.000Z',
        },
        {
          beacon: 'quicknet',
          round: 1235,
          roundAt: '2026-03-04T12:00:06.000Z',
          lateMs: 9_000_000,
          orders: 1,
          published: true,
        },
      ],
    })
    expect(orders).toHaveTextContent(/Vault3 orders.*Waiting for3 min.*First round1,234.*Late by3 min/)
    expect(orders).toHaveTextContent(/Dusk1 order.*Waiting for1 s.*First round1,296.*Late byNot due yet/)
    expect(orders).toHaveTextContent(
      /Round 1,2342 orders.*Refunded at Mar 5, 2026.*unless the round is published first/,
    )
    expect(orders).toHaveTextContent(/Round 1,2351 order.*Late by2 h.*The round is published\./)
  })

  it('says why a server refuses orders', async () => {
    const checked = { ...calm.beacon, checked: true, lastRound: 1234, lastSeenAt: '2026-03-04T12:00:06.250Z' }
    const { beacon } = await panelsOf({ beacon: { ...checked, latenessMs: 3_250 } })
    expect(beacon).toHaveTextContent(/Failed.*1,234.*12:00:06 PM.*Delay3\.3 s.*refuses orders.*no new round yet/)
  })

  it('shows what each witness last did', async () => {
    const panels = await panelsOf({ witnesses })
    expect(panels.witnesses).toHaveTextContent(/2 of 2 witnesses.*Within the last 2 seconds/)
    expect(panels.witnesses).toHaveTextContent(/one\.example\/1.*Mar 4, 2026.*4,711.*None seen by this server/)
    expect(panels.witnesses).toHaveTextContent(
      /two\.example\/1.*Never.*Refused.*Mar 4, 2026.*: it answered with status 403/,
    )
    expect(panels.witnesses).not.toHaveTextContent(t.silent)
  })

  it.each([
    ['an idle log', { fresh: false }, t.idle, false],
    ['leaves that no quorum has seen', { fresh: false, uncosigned: 5 }, t.noQuorum, true],
    ['no quorum yet', { fresh: false, lastQuorumAt: null }, t.noQuorum, true],
    ['orders that wait for a quorum', { fresh: false, wantedSince: '2026-03-04T12:00:00.000Z' }, t.noQuorum, true],
  ])('says what %s means', async (_, change, says, isSilent) => {
    const panels = await panelsOf({ witnesses: { ...witnesses, ...change } })
    expect(panels.witnesses).toHaveTextContent(says)
    expect(panels.witnesses.textContent.includes(t.silent)).toBe(isSilent)
  })

  it('says that a leaf waits for its place', async () => {
    const panels = await panelsOf({ witnesses: { ...witnesses, behind: true } })
    expect(panels.witnesses).toHaveTextContent(t.behind)
  })
})
