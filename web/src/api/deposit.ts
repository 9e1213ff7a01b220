import type { Deposit, Settled } from '@/contract/types'
import { type Handlers, type Keyed, useAct } from './act'
import { api, read } from './client'

interface Gift {
  /** In dollars. */
  amount: number
}

/** Adds points that nobody pays for: a sandbox's to the visitor, an admin's to a named wallet. */
export function give(body: Gift & { walletAddress?: string; reason?: string }, keyed: Keyed) {
  return read(api.POST('/api/wallet/deposit/manual', { body, ...keyed }))
}

/** Adds sandbox points. */
export function useDeposit(handlers: Handlers<unknown, Gift>) {
  return useAct('deposit', (body: Gift, keyed) => give(body, keyed), handlers)
}

interface Asked {
  amountCents: number
}

/** Asks for points to pay for. */
export function useQuote(handlers: Handlers<Deposit, Asked>) {
  return useAct('quote', (body: Asked, keyed) => read(api.POST('/api/wallet/deposits', { body, ...keyed })), handlers)
}

interface Paid {
  /** In dollars. */
  amount: number
  /** The deposit's id. */
  paymentId: string
  /** As the checkout told it. */
  transactionId: string
}

/** Has a payment looked at now. It needs no key: repeating it gives the same answer. */
export function useSettle(handlers: Handlers<Settled, Paid>) {
  return useAct(
    'settle',
    (body: Paid, { headers }) => read(api.POST('/api/wallet/deposit/helio', { body, headers })),
    handlers,
  )
}
