import { act, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { topup as t, payment } from '@/features/wallet/texts/en'
import { deposits } from '@/components/deposit/texts/en'
import { config } from '@/lib/config'
import type { DepositLife } from '@/contract/types'
import { dismissToast } from '@/lib/toast'
import { someDeposit } from '@test/data'
import { renderPage, signedIn } from '@test/render-page'
import { type Answers, stubApi } from '@test/stub-api'
import { expectToast } from '@test/expect-toast'

beforeEach(() => {
  dismissToast()
  vi.spyOn(config, 'sandbox', 'get').mockReturnValue(true)
})

const wallet = { displayBalance: 12.5, balanceCents: 1250 }
const added = {
  success: true,
  message: 'Added 25.00 Play Points.',
  state: 'credited',
  playPointsAdded: 25,
}
const onItsWay = { status: 202, body: { success: false, message: 'Wait.', state: 'pending' } }
const refusal = (status: number, code: string, message = 'No.') => ({
  status,
  body: { code, message, requestId: 'r1' },
})

/** Stubs the server's deposits, which tests may change later. */
function stubDeposits(more: Answers = {}, known: DepositLife[] = []) {
  const answers: Answers = {
    'GET /api/wallet': { body: wallet },
    'GET /api/wallet/transactions': { body: [] },
    'GET /api/wallet/deposits': () => Response.json(known),
    'GET /api/wallet/deposits/d-1': { body: someDeposit() },
    'POST /api/wallet/deposits': { body: someDeposit() },
    'POST /api/wallet/deposit/manual': { body: { success: true, message: '', wallet, transaction: {} } },
    ...more,
  }
  return { answers, seen: stubApi(answers) }
}

const posted = async (seen: Request[], path: string) =>
  Promise.all(
    seen
      .filter(({ method, url }) => method === 'POST' && new URL(url).pathname === path)
      .map(async (request) => ({
        body: (await request.clone().json()) as unknown,
        key: request.headers.get('Idempotency-Key'),
      })),
  )
const quotes = (seen: Request[]) => posted(seen, '/api/wallet/deposits')

const dialog = () => screen.findByRole('dialog')
const frame = async () => within(await dialog()).findByTitle<HTMLIFrameElement>(payment.frame)

const signature = '5'.repeat(88)

/** Sends a message from the frame, or from another origin or window. */
async function postFromFrame(data: object, from: { origin?: string; source?: Window | null } = {}) {
  const { contentWindow } = await frame()
  act(() => {
    window.dispatchEvent(
      new MessageEvent('message', {
        data: { source: 'kaibao-payment', ...data },
        origin: 'null', // the origin of a sandboxed frame
        source: contentWindow,
        ...from,
      }),
    )
  })
}

async function topUp25() {
  await userEvent.click(await screen.findByRole('button', { name: '25' }))
  await userEvent.click(screen.getByRole('button', { name: t.submit('25') }))
}

const press = async (name: string) => userEvent.click(await within(await dialog()).findByRole('button', { name }))

describe('the top-up page', () => {
  it('asks to connect first', async () => {
    stubDeposits()
    renderPage('/topup')
    expect(await screen.findByText(t.connectTitle)).toBeInTheDocument()
  })

  it('gives the default or a typed amount of demo points, each time with a new key', async () => {
    const { seen } = stubDeposits()
    renderPage('/topup', signedIn)
    await userEvent.click(await screen.findByRole('button', { name: t.demo('500') }))
    await expectToast(t.added, t.addedText('500.00'))
    await userEvent.click(screen.getByRole('button', { name: '100' }))
    await userEvent.click(await screen.findByRole('button', { name: t.demo('100') }))
    await expectToast(t.added, t.addedText('100.00'))
    const gifts = await posted(seen, '/api/wallet/deposit/manual')
    expect(gifts.map(({ body }) => body)).toEqual([{ amount: 500 }, { amount: 100 }])
    expect(gifts[0]?.key).toMatch(/^[0-9a-f-]{36}$/)
    expect(gifts[1]?.key).not.toBe(gifts[0]?.key)
  })

  it('offers no demo points outside the sandbox', async () => {
    vi.spyOn(config, 'sandbox', 'get').mockReturnValue(false)
    stubDeposits()
    renderPage('/topup', signedIn)
    expect(await screen.findByText(t.note)).toBeVisible()
    expect(screen.queryByRole('button', { name: t.demo('500') })).not.toBeInTheDocument()
  })

  it.each(['0', '10001', '1.5', '-1'])('rejects %s points', async (amount) => {
    stubDeposits()
    renderPage('/topup', signedIn)
    expect(await screen.findByRole('button', { name: t.submitEmpty })).toBeDisabled()
    await userEvent.type(screen.getByLabelText(t.custom), amount)
    expect(screen.getByRole('button', { name: t.submitEmpty })).toBeDisabled()
    expect(screen.getByLabelText(t.custom)).toBeInvalid()
  })

  it.each(['1', '10000'])('accepts %s points', async (amount) => {
    stubDeposits()
    renderPage('/topup', signedIn)
    await userEvent.type(await screen.findByLabelText(t.custom), amount)
    expect(screen.getByRole('button', { name: /^Top up 1/ })).toBeEnabled()
  })
})

describe('paying', () => {
  it('shows the price once it has loaded, pays in the frame, verifies, and reports success', async () => {
    let answer: (response: Response) => void = () => {}
    const { seen, answers } = stubDeposits({
      'POST /api/wallet/deposits': () => new Promise((resolve) => (answer = resolve)),
      'POST /api/wallet/deposit/helio': { body: added },
    })
    renderPage('/topup', signedIn)
    await topUp25()
    expect(await within(await dialog()).findByText('Loading current SOL price...')).toBeVisible()
    answer(Response.json(someDeposit()))
    expect(await within(await dialog()).findByText('0.103950 SOL')).toBeVisible()
    expect(within(await dialog()).getByText(payment.price('$240.50'))).toBeVisible()
    expect((await frame()).getAttribute('src')).toBe('/payment-frame?lang=en&theme=dark#charge-1')
    expect((await frame()).getAttribute('sandbox')).toBe('allow-scripts')
    expect(await within(await dialog()).findByRole('timer')).toHaveTextContent(/^59:\d\d$/)
    expect((await quotes(seen)).map(({ body }) => body)).toEqual([{ amountCents: 2500 }])

    await postFromFrame({ type: 'ready' })
    await postFromFrame({ type: 'success', transaction: signature })
    const verify = await within(await dialog()).findByRole('button', { name: 'Verify Payment & Add Play Points' })
    expect(verify).toHaveFocus()
    answers['GET /api/wallet/deposits/d-1'] = { body: someDeposit({ state: 'credited' }) }
    const asked = () => seen.filter(({ url }) => new URL(url).pathname === '/api/wallet').length
    const before = asked()
    await userEvent.click(verify)
    await expectToast('Success! Added 25 Play Points to your wallet!')
    expect((await posted(seen, '/api/wallet/deposit/helio')).map(({ body }) => body)).toEqual([
      { amount: 25, paymentId: 'd-1', transactionId: signature },
    ])
    await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument())
    await waitFor(() => expect(asked()).toBeGreaterThan(before))
    expect(screen.getByLabelText(t.custom)).toHaveValue('')
  })

  it('says that a price without a market is an estimate', async () => {
    const body = someDeposit({ priceIsFallback: true, solPriceUsd: 240 })
    stubDeposits({ 'POST /api/wallet/deposits': { body }, 'GET /api/wallet/deposits/d-1': { body } })
    renderPage('/topup', signedIn)
    await topUp25()
    expect(await within(await dialog()).findByText(payment.fallback('$240.00'))).toBeVisible()
  })

  it('ignores messages that don’t come from its own frame', async () => {
    stubDeposits()
    renderPage('/topup', signedIn)
    await topUp25()
    await postFromFrame({ type: 'error' }, { origin: 'https://embed.example' })
    await postFromFrame({ type: 'error' }, { origin: window.location.origin })
    await postFromFrame({ type: 'error' }, { source: window })
    await postFromFrame({ type: 'error', source: 'somebody' })
    expect(within(await dialog()).queryByRole('alert')).not.toBeInTheDocument()
    await postFromFrame({ type: 'error' })
    expect(await within(await dialog()).findByRole('alert')).toHaveTextContent('Payment failed. Please try again.')
  })

  it('starts a new deposit after a failed payment', async () => {
    const second = someDeposit({ depositId: 'd-2', chargeToken: 'charge-2' })
    const { seen, answers } = stubDeposits({ 'GET /api/wallet/deposits/d-2': { body: second } })
    renderPage('/topup', signedIn)
    await topUp25()
    await postFromFrame({ type: 'error', message: 'No.' })
    answers['POST /api/wallet/deposits'] = { body: second }
    await press(payment.tryAgain)
    await waitFor(async () => expect((await frame()).getAttribute('src')).toContain('#charge-2'))
    const [before, after] = await quotes(seen)
    expect(after?.body).toEqual(before?.body)
    expect(after?.key).not.toBe(before?.key)
  })

  it('reports a widget that fails to load, and can be retried', async () => {
    const { seen, answers } = stubDeposits({ 'POST /api/wallet/deposits': refusal(503, 'unavailable') })
    renderPage('/topup', signedIn)
    await topUp25()
    expect(await within(await dialog()).findByRole('alert')).toHaveTextContent('Failed to initialize payment widget')
    answers['POST /api/wallet/deposits'] = { body: someDeposit() }
    await press(payment.tryAgain)
    await postFromFrame({ type: 'unavailable' })
    expect(await within(await dialog()).findByRole('alert')).toHaveTextContent('Failed to initialize payment widget')
    await press(payment.tryAgain)
    await postFromFrame({ type: 'ready' })
    expect(within(await dialog()).queryByRole('alert')).not.toBeInTheDocument()
    const [first, second, ...more] = await quotes(seen)
    expect(second?.key).toBe(first?.key)
    expect(more).toEqual([])
  })

  it('shows why a payment can’t start', async () => {
    stubDeposits({ 'POST /api/wallet/deposits': refusal(403, 'limit_reached') })
    renderPage('/topup', signedIn)
    await topUp25()
    const alert = await within(await dialog()).findByRole('alert')
    expect(alert).toHaveTextContent(payment.notCreated)
    expect(alert).toHaveTextContent(/You’ve reached the limit/)
  })

  it('reports a pending payment, and closes when the widget cancels', async () => {
    stubDeposits()
    renderPage('/topup', signedIn)
    await topUp25()
    expect(await within(await dialog()).findByRole('button', { name: payment.cancel })).toBeVisible()
    await postFromFrame({ type: 'pending' })
    expect(await within(await dialog()).findByText(payment.pending)).toBeVisible()
    // Leaving doesn't cancel a pending payment.
    expect(within(await dialog()).queryByRole('button', { name: payment.cancel })).not.toBeInTheDocument()
    expect(await frame()).toBeInTheDocument()
    await postFromFrame({ type: 'cancel' })
    await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument())
    expect(screen.getByLabelText(t.custom)).toHaveValue('25')
  })

  it('shows why verification failed, keeps the step, and can be retried', async () => {
    const { answers } = stubDeposits({ 'POST /api/wallet/deposit/helio': refusal(409, 'signature_used') })
    renderPage('/topup', signedIn)
    await topUp25()
    await postFromFrame({ type: 'success', transaction: signature })
    await press(payment.verify)
    const alert = await within(await dialog()).findByRole('alert')
    expect(alert).toHaveTextContent('Payment verification failed')
    expect(alert).toHaveTextContent(
      'Payment successful but failed to add Play Points. Please contact support: This transaction already paid',
    )
    expect(alert).not.toHaveTextContent(payment.notLost)
    answers['POST /api/wallet/deposit/helio'] = refusal(503, 'unavailable')
    await press(payment.tryAgain)
    expect(await within(await dialog()).findByText(payment.notLost)).toBeVisible()
    answers['POST /api/wallet/deposit/helio'] = { body: added }
    answers['GET /api/wallet/deposits/d-1'] = { body: someDeposit({ state: 'credited' }) }
    await press(payment.tryAgain)
    await expectToast(t.success('25'))
  })

  it('polls a payment that is not final yet, and completes by itself', async () => {
    const { answers } = stubDeposits({ 'POST /api/wallet/deposit/helio': onItsWay })
    renderPage('/topup', signedIn)
    await topUp25()
    await postFromFrame({ type: 'success', transaction: signature })
    answers['GET /api/wallet/deposits/d-1'] = { body: someDeposit({ state: 'pending', confirming: true }) }
    await press(payment.verify)
    expect(await within(await dialog()).findByText(payment.followTitle)).toBeVisible()
    expect(await within(await dialog()).findByText(deposits.confirming)).toBeVisible()
    answers['GET /api/wallet/deposits/d-1'] = { body: someDeposit({ state: 'credited' }) }
    await expectToast(t.success('25'))
    await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument())
  })

  it.each([
    [{ expiresAt: '2026-01-02T03:34:05.678Z' }, payment.timeOver],
    [{ state: 'expired' }, payment.endedTitle.expired],
    [{ state: 'rejected' }, payment.endedTitle.rejected],
  ] as const)('offers another payment where %o', async (more, title) => {
    stubDeposits({ 'GET /api/wallet/deposits/d-1': { body: someDeposit(more) } })
    renderPage('/topup', signedIn)
    await topUp25()
    expect(await within(await dialog()).findByRole('alert')).toHaveTextContent(title)
    expect(within(await dialog()).getByRole('button', { name: payment.tryAgain })).toBeEnabled()
    expect(within(await dialog()).queryByRole('timer')).not.toBeInTheDocument()
  })

  it('links to a deposit under review', async () => {
    stubDeposits({ 'GET /api/wallet/deposits/d-1': { body: someDeposit({ state: 'review', exception: 'under' }) } })
    renderPage('/topup', signedIn)
    await topUp25()
    expect(await within(await dialog()).findByRole('alert')).toHaveTextContent(payment.endedTitle.review)
    expect(within(await dialog()).getByRole('link', { name: payment.details })).toHaveAttribute('href', '/deposit/d-1')
  })
})

describe('deposits in progress', () => {
  const underWay = () => screen.findByRole('region', { name: t.inProgress })

  it('are listed and can be resumed', async () => {
    stubDeposits({}, [someDeposit()])
    renderPage('/topup', signedIn)
    expect(await within(await underWay()).findByRole('timer')).toHaveTextContent(/^59:\d\d$/)
    await userEvent.click(within(await underWay()).getByRole('button', { name: t.continueOf('25.00') }))
    expect((await frame()).getAttribute('src')).toContain('#charge-1')
    await press(payment.cancel)
    expect(await within(await underWay()).findByText(deposits.states.quoted)).toBeVisible()
  })

  it('are requested again if the provider has not created a charge yet', async () => {
    const { chargeToken: _, ...unmade } = someDeposit()
    const { seen } = stubDeposits({ 'GET /api/wallet/deposits/d-1': { body: unmade } }, [unmade])
    renderPage('/topup', signedIn)
    await userEvent.click(await within(await underWay()).findByRole('button', { name: t.continueOf('25.00') }))
    expect(await within(await dialog()).findByRole('alert')).toHaveTextContent(payment.unavailable)
    expect((await quotes(seen)).map(({ body }) => body)).toEqual([{ amountCents: 2500 }])
  })

  it('trigger a toast when credited while the page is open', async () => {
    const known = [someDeposit({ state: 'pending' })]
    const { answers } = stubDeposits({ 'GET /api/wallet/deposits/d-1': { body: known[0] } }, known)
    renderPage('/topup', signedIn)
    expect(await within(await underWay()).findByText(deposits.meanings.pending)).toBeVisible()
    answers['GET /api/wallet/deposits/d-1'] = { body: someDeposit({ state: 'credited' }) }
    known.pop()
    await expectToast(t.success('25'))
    await waitFor(() => expect(screen.queryByRole('region', { name: t.inProgress })).not.toBeInTheDocument())
  })

  it('show their outcome and link to the details', async () => {
    stubDeposits({ 'GET /api/wallet/deposits/d-2': { body: someDeposit({ depositId: 'd-2', state: 'credited' }) } }, [
      someDeposit({ depositId: 'd-2', state: 'credited', exception: 'over' }),
    ])
    renderPage('/topup', signedIn)
    const history = await screen.findByRole('list', { name: t.history })
    const line = await within(history).findByRole('link')
    expect(line).toHaveTextContent(/25\.00.*Points added.*Overpaid/)
    expect(line).toHaveAttribute('href', '/deposit/d-2')
  })
})
