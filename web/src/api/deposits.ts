import { queryOptions, useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { ApiError } from '@/contract/error'
import type { Deposit, DepositLife, Settled } from '@/contract/types'
import { useSignedIn } from '@/lib/session'
import { type Handlers, type KeyedRequest, useAct } from './act'
import { serverClockOffsetMs, api, read } from './client'
import { keys } from './keys'
import { type PageQuery, pagedQuery } from './paged-query'

const deposits = (query: PageQuery & { state?: 'open' }, options: { signal: AbortSignal }) =>
  api.GET('/api/wallet/deposits', { params: { query }, ...options })

const depositsQuery = pagedQuery(keys.deposits, deposits)

/** The user's deposits, newest first, paged. */
export function useDeposits() {
  return useInfiniteQuery({ ...depositsQuery, enabled: useSignedIn() })
}

const openQuery = queryOptions({
  queryKey: [...keys.deposits, 'open'],
  queryFn: ({ signal }) => read(deposits({ state: 'open' }, { signal })),
})

/** Top-ups that can still be paid or are being confirmed. */
export function useOpenDeposits() {
  return useQuery({ ...openQuery, enabled: useSignedIn() })
}

/** A deposit with its history; `aheadMs` is how far the server's clock is ahead of the browser's. */
export type DepositStatus = DepositLife & { aheadMs: number }

async function readDeposit(id: string, signal: AbortSignal): Promise<DepositStatus> {
  const call = api.GET('/api/wallet/deposits/{id}', { params: { path: { id } }, signal })
  const life = await read(call)
  return { ...life, aheadMs: serverClockOffsetMs((await call).response) }
}

/** Polling interval by state; deposits that have ended aren't polled. */
const pollMs: Partial<Record<Deposit['state'], number>> = {
  quoted: 2000,
  pending: 2000,
  verified: 2000,
  review: 30_000, // decided by an admin
}

/** One of the visitor's deposits, polled until it ends. */
export function useDepositStatus(id: string, follow = true) {
  return useQuery({
    queryKey: [...keys.deposits, id],
    queryFn: ({ signal }) => readDeposit(id, signal),
    enabled: useSignedIn(),
    refetchInterval: ({ state: { data, error } }) => {
      const unknown = error instanceof ApiError && error.status === 404
      return follow && !unknown && (pollMs[data?.state ?? 'quoted'] ?? false)
    },
  })
}

interface ManualDeposit {
  /** In dollars. */
  amount: number
}

/** Adds points without payment: a sandbox user's own, or an admin's credit to a wallet. */
export function addPoints(body: ManualDeposit & { walletAddress?: string; reason?: string }, keyed: KeyedRequest) {
  return read(api.POST('/api/wallet/deposit/manual', { body, ...keyed }))
}

/** Adds sandbox points. */
export function useAddSandboxPoints(handlers: Handlers<unknown, ManualDeposit>) {
  return useAct('deposit', (body: ManualDeposit, keyed) => addPoints(body, keyed), handlers)
}

interface NewDeposit {
  amountCents: number
}

/** Requests points to pay for. */
export function useCreateDeposit(handlers: Handlers<Deposit, NewDeposit>) {
  return useAct(
    'quote',
    (body: NewDeposit, keyed) => read(api.POST('/api/wallet/deposits', { body, ...keyed })),
    handlers,
  )
}

interface PaymentNotice {
  /** In dollars. */
  amount: number
  /** The deposit's id. */
  paymentId: string
  /** From the checkout. */
  transactionId: string
}

/** Checks a payment now. It needs no idempotency key, because repeating it has the same result. */
export function useVerifyPayment(handlers: Handlers<Settled, PaymentNotice>) {
  return useAct(
    'settle',
    (body: PaymentNotice, { headers }) => read(api.POST('/api/wallet/deposit/helio', { body, headers })),
    handlers,
  )
}
