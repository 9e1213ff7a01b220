import type { ManyOffered } from '@/contract/types'
import { type Handlers, useAct } from './act'
import { api, read } from './client'

/** A line of several; without a price it is taken back. */
interface Line {
  inventoryId: string
  priceCents?: number
  /** The price again, where it is far from the value and meant. */
  confirmedCents?: number
}

interface Lines {
  lines: Line[]
}

/** Lists several of the visitor's entries, changes their prices or takes them back: all or none. */
export function useMany(act: 'list' | 'reprice' | 'delist', handlers: Handlers<ManyOffered, Lines>) {
  return useAct(
    act,
    ({ lines }: Lines, keyed) => {
      if (act === 'delist') return read(api.POST('/api/marketplace/delist-many', { body: { lines }, ...keyed }))
      const body = { lines: lines.map(({ priceCents = 0, ...line }) => ({ ...line, priceCents })) }
      if (act === 'list') return read(api.POST('/api/marketplace/list-many', { body, ...keyed }))
      return read(api.POST('/api/marketplace/reprice-many', { body, ...keyed }))
    },
    handlers,
  )
}
