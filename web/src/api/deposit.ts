import { type Handlers, useAct } from './act'
import { api, read } from './client'

/** Adds sandbox points, in whole dollars. */
export function useDeposit(handlers: Handlers<unknown, { amount: number }>) {
  return useAct(
    'deposit',
    (body: { amount: number }, keyed) => read(api.POST('/api/wallet/deposit/manual', { body, ...keyed })),
    handlers,
  )
}
