import { ApiError, unanswered } from '@/contract/error'
import type { Quote, QuickSale } from '@/contract/types'
import { type Handlers, type Keyed, useAct } from './act'
import { api, read } from './client'
import { inLots } from './lots'

/** What is sold, for no less than what was on the screen. */
interface Order {
  lines: Pick<Quote, 'inventoryId' | 'payoutCents'>[]
}

/** What was sold. */
export interface QuicklySold {
  sold: QuickSale['sold']
  payoutCents: number
  /** Why the rest was not, where there are several calls: those before the refusal stand. */
  refusal: ApiError | undefined
}

/** Sells entries of the visitor's to whoever pays most for each, the house or a bid. More than fit into one call are sold by several. */
export function useQuickSell(handlers: Handlers<QuicklySold, Order>) {
  return useAct('quickSell', sendAll, handlers)
}

/** Each call has a key of its own that follows from the act's, so that a repeat is a repeat of each. */
async function sendAll({ lines }: Order, { params, headers }: Keyed): Promise<QuicklySold> {
  const done: QuicklySold = { sold: [], payoutCents: 0, refusal: undefined }
  for (const [at, lot] of inLots(lines).entries()) {
    const header = { 'Idempotency-Key': `${params.header['Idempotency-Key']}-${at}` }
    try {
      const { sold, payoutCents } = await send(lot, { params: { header }, headers })
      done.sold.push(...sold)
      done.payoutCents += payoutCents
    } catch (error) {
      if (at === 0 || !(error instanceof ApiError) || unanswered(error) || error.status >= 500) throw error
      return { ...done, refusal: error }
    }
  }
  return done
}

function send(lot: Order['lines'], keyed: Keyed): Promise<QuickSale> {
  const body = {
    inventoryIds: lot.map(({ inventoryId }) => inventoryId),
    minPayoutCents: lot.reduce((sum, { payoutCents }) => sum + payoutCents, 0),
  }
  return read(api.POST('/api/inventory/quick-sell', { body, ...keyed }))
}
