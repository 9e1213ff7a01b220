import { screen, waitFor, within } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { deposits } from '@/components/deposit/texts/en'
import { topup } from '@/features/wallet/texts/en'
import type { DepositEvent } from '@/contract/types'
import { someDeposit } from '@test/data'
import { renderPage, signedIn } from '@test/render-page'
import { notFound, stubApi } from '@test/stub-api'

const t = topup.deposit
const at = '2026-01-02T03:04:05Z'
const house = (state: DepositEvent['state'], reason: string): DepositEvent => ({ state, reason, by: 'house', at })

describe('the page of a deposit', () => {
  it('shows what is known about a payment that is being confirmed', async () => {
    const deposit = someDeposit({
      state: 'pending',
      reportedTransactionId: '5'.repeat(40) + 'abcdef',
      lastCheckedAt: '2026-01-02T03:05:05Z',
      nextCheckAt: '2026-01-02T03:05:25Z',
      events: [house('quoted', 'asked'), house('pending', 'seen')],
    })
    stubApi({ 'GET /api/wallet/deposits/d-1': { body: deposit } })
    renderPage('/deposit/d-1', signedIn)
    expect((await screen.findByText(deposits.reported)).nextSibling).toHaveTextContent('555555...abcdef')
    expect(screen.getByText(deposits.lastChecked).nextSibling?.firstChild).toHaveAttribute(
      'datetime',
      deposit.lastCheckedAt,
    )
    expect(screen.getByText(deposits.nextCheck).nextSibling?.firstChild).toHaveAttribute(
      'datetime',
      deposit.nextCheckAt,
    )
    expect(screen.queryByText(deposits.transaction)).toBeNull()
  })

  it('shows the request and its outcome: our reasons translated, an admin’s as written', async () => {
    const deposit = someDeposit({
      state: 'refunded',
      exception: 'under',
      transactionId: '5'.repeat(40) + 'abcdef',
      events: [
        house('quoted', 'asked'),
        house('pending', 'a reason of a newer server'),
        house('review', 'underpaid'),
        { state: 'refunded', reason: 'Sent back\nby hand.', by: 'admin', at },
      ],
    })
    stubApi({ 'GET /api/wallet/deposits/d-1': { body: deposit } })
    renderPage('/deposit/d-1', signedIn)
    const [asked, pending, underpaid, refunded] = within(
      await screen.findByRole('region', { name: deposits.history }),
    ).getAllByRole('listitem')
    expect(asked).toHaveTextContent(deposits.reasons['asked']!)
    expect(pending).toHaveTextContent(deposits.states.pending)
    expect(pending).not.toHaveTextContent('newer')
    expect(underpaid).toHaveTextContent(deposits.reasons['underpaid']!)
    expect(refunded).toHaveTextContent(/Refunded.*Decided by our team.*Sent back by hand\./)
    expect(screen.getByText(deposits.meanings.refunded)).toBeVisible()
    expect(screen.getByText(deposits.exceptions.under)).toBeVisible()
    expect(screen.getByText(t.amount).nextSibling).toHaveTextContent('$25.00')
    expect(screen.getByText(t.estimate).nextSibling).toHaveTextContent('0.103950 SOL')
    expect(screen.getByText('555555...abcdef')).toHaveAttribute('title', deposit.transactionId)
    expect(screen.getByRole('button', { name: `${deposits.copy}: ${deposits.transaction}` })).toBeEnabled()
  })

  it('polls until it ends', async () => {
    const answers: Parameters<typeof stubApi>[0] = {
      'GET /api/wallet/deposits/d-1': { body: someDeposit({ state: 'pending' }) },
    }
    const seen = stubApi(answers)
    renderPage('/deposit/d-1', signedIn)
    expect(await screen.findByText(deposits.meanings.pending)).toBeVisible()
    answers['GET /api/wallet/deposits/d-1'] = { body: someDeposit({ state: 'credited' }) }
    expect(await screen.findByText(deposits.meanings.credited)).toBeVisible()
    const asked = (path: string) => seen.filter(({ url }) => new URL(url).pathname === path).length
    // Changed data is refetched once.
    await waitFor(() => expect(asked('/api/wallet')).toBe(2))
    expect(asked('/api/wallet/deposits/d-1')).toBe(3)
  })

  it('reports an unknown deposit', async () => {
    stubApi({ 'GET /api/wallet/deposits/d-9': notFound })
    renderPage('/deposit/d-9', signedIn)
    expect(await screen.findByRole('heading', { name: t.unknown })).toBeVisible()
  })

  it('asks signed-out visitors to connect', async () => {
    stubApi({})
    renderPage('/deposit/d-1')
    expect(await screen.findByText(t.signInTitle)).toBeVisible()
  })
})
