import { screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { config } from '@/lib/config'
import { renderPage, signedIn } from '@/test/render-page'
import { stubApi } from '@/test/stub-api'

beforeEach(() => {
  vi.spyOn(config, 'sandbox', 'get').mockReturnValue(true)
})

const wallet = { displayBalance: 12.5, balanceCents: 1250 }

function stubLedger() {
  return stubApi({
    'GET /api/wallet': { body: wallet },
    'GET /api/wallet/transactions': { body: [] },
    'POST /api/wallet/deposit/manual': { body: { success: true, message: '', wallet, transaction: {} } },
  })
}

describe('the top-up page', () => {
  it('asks to connect first', async () => {
    stubLedger()
    renderPage('/topup')
    expect(await screen.findByText('Connect your wallet to top up')).toBeInTheDocument()
  })

  it('sends the quick amount once, with a key of its own', async () => {
    const seen = stubLedger()
    renderPage('/topup', signedIn)
    await userEvent.click(await screen.findByRole('button', { name: '100' }))
    await userEvent.click(screen.getByRole('button', { name: 'Add 100 sandbox points' }))
    await screen.findByRole('button', { name: 'Add sandbox points' })
    const deposits = seen.filter((request) => request.method === 'POST')
    expect(deposits).toHaveLength(1)
    expect(deposits[0]?.headers.get('Idempotency-Key')).toMatch(/^[0-9a-f-]{36}$/)
    expect(await deposits[0]?.json()).toEqual({ amount: 100 })
  })

  it.each(['0', '10001', '1.5'])('refuses %s points', async (amount) => {
    stubLedger()
    renderPage('/topup', signedIn)
    await userEvent.type(await screen.findByLabelText('Custom amount'), amount)
    expect(screen.getByRole('button', { name: 'Add sandbox points' })).toBeDisabled()
    expect(screen.getByLabelText('Custom amount')).toBeInvalid()
  })
})
