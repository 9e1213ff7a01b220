import { act, fireEvent, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, describe, expect, it } from 'vitest'
import { untilChange } from '@/api/rates'
import { config } from '@/lib/config'
import { someUser } from '@test/data'
import { renderPage, signedIn } from '@test/render-page'
import { stubApi } from '@test/stub-api'
import { expectToast } from '@test/expect-toast'
import { admin as operate } from '@/features/admin/texts/en'

const admin = { ...signedIn, user: { ...someUser, role: 'admin' as const } }
const { settings: t } = operate
const noBackups = { lastBackup: null, reportedBy: null, verified: false }
const announced = { listing: 450, bid: 150, counter: 0, effectiveAt: '2126-03-04T12:00:00.000Z' }

afterEach(() => {
  config.rates.announced = []
})

it('shows the fees and an announced change, and requests a second admin’s approval for new ones', async () => {
  config.rates.announced = [announced]
  const seen = stubApi({
    'GET /api/admin/metrics': { body: { recentActivity: [], totals: {} } },
    'GET /api/admin/backups': { body: noBackups },
    'POST /api/admin/rates': { body: { id: '1' } },
  })
  renderPage('/admin?tab=settings', admin)
  const panel = await screen.findByRole('region', { name: t.fees })
  expect(panel).toHaveTextContent('5 percent')
  expect(panel).toHaveTextContent(/Mar 4, 2126.*marketplace 4\.5%, bids 1\.5%, counter-offers 0%/)
  await act(() => userEvent.click(within(panel).getByRole('button', { name: t.changeFees })))
  const dialog = await screen.findByRole('dialog', { name: t.changeFees })
  const field = within(dialog).getByRole('textbox', { name: t.inPercent(t.fee) })
  expect(field).toHaveValue('4.5')
  await userEvent.clear(field)
  await userEvent.type(field, '4,25')
  await userEvent.type(within(dialog).getByRole('textbox', { name: t.feesReason }), 'Rent is due.')
  await userEvent.click(within(dialog).getByRole('button', { name: t.askForFees }))
  await expectToast(operate.waitsForSecond)
  const asked = seen.find(({ method }) => method === 'POST')!
  expect(await asked.json()).toEqual({ listing: 425, bid: 150, counter: 0, reason: 'Rent is due.' })
})

describe('the start time of new fees', () => {
  const hourMs = 3_600_000
  /** The value of a datetime-local input. */
  const local = (at: number) => {
    const here = new Date(at)
    return new Date(at - here.getTimezoneOffset() * 60_000).toISOString().slice(0, 16)
  }
  /** Requests new fees from a time on. Returns the requests and the time's field. */
  async function requestFees(effectiveAt: string) {
    const seen = stubApi({
      'GET /api/admin/metrics': { body: { recentActivity: [], totals: {} } },
      'GET /api/admin/backups': { body: noBackups },
      'POST /api/admin/rates': { body: { id: '1' } },
    })
    renderPage('/admin?tab=settings', admin)
    const panel = await screen.findByRole('region', { name: t.fees })
    await act(() => userEvent.click(within(panel).getByRole('button', { name: t.changeFees })))
    const dialog = await screen.findByRole('dialog', { name: t.changeFees })
    const field = within(dialog).getByLabelText(t.effectiveAt)
    fireEvent.change(field, { target: { value: effectiveAt } })
    await userEvent.type(within(dialog).getByRole('textbox', { name: t.feesReason }), 'Rent is due.')
    await userEvent.click(within(dialog).getByRole('button', { name: t.askForFees }))
    return { seen, field }
  }

  it('is sent in UTC', async () => {
    const at = local(Date.now() + 48 * hourMs)
    const { seen } = await requestFees(at)
    await expectToast(operate.waitsForSecond)
    const asked = seen.find(({ method }) => method === 'POST')!
    expect(await asked.json()).toMatchObject({ effectiveAt: new Date(at).toISOString() })
  })

  it.each([
    ['less than a day ahead', 23.5 * hourMs],
    ['more than a year ahead', 366 * 24 * hourMs],
  ])('is rejected %s', async (_, ahead) => {
    const { seen, field } = await requestFees(local(Date.now() + ahead))
    expect(field).toHaveAccessibleDescription(t.wrongEffective(24, 365))
    expect(seen.some(({ method }) => method === 'POST')).toBe(false)
  })
})

it('refetches the fees when a change takes effect, and every hour', () => {
  const now = Date.parse('2126-03-04T11:59:00.000Z')
  const rates = { listing: 500, bid: 200, counter: 500, effectiveAt: null, announced: [] }
  expect(untilChange(rates, now)).toBe(3_600_000)
  expect(untilChange({ ...rates, announced: [announced] }, now)).toBe(60_000)
  expect(untilChange({ ...rates, announced: [announced] }, now - 7_200_000)).toBe(3_600_000)
  expect(untilChange({ ...rates, announced: [announced] }, now + 60_000)).toBe(10_000)
})
