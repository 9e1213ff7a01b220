import { queryOptions, useQuery } from '@tanstack/react-query'
import { ApiError, type ErrorCode, unanswered } from '@/contract/error'
import type { QuickSale, Quote } from '@/contract/types'
import { terms } from '@/lib/config'
import { useSignedIn } from '@/lib/session'
import { type Handlers, type KeyedRequest, useAct } from './act'
import { serverClockOffsetMs, api, read } from './client'
import { keys } from './keys'

/** Splits a list into chunks of at most `size`, by default the limit of one quick-sell call. */
export function chunked<T>(all: readonly T[], size = terms.mostSoldBack): T[][] {
  const chunks: T[][] = []
  for (let i = 0; i < all.length; i += size) chunks.push(all.slice(i, i + size))
  return chunks
}

/** An entry that cannot be sold now, and why. */
export interface RefusedEntry {
  inventoryId: string
  code: ErrorCode
}

/** Current offers for entries, and who makes them. */
export interface QuotesResult {
  lines: Quote[]
  refused: RefusedEntry[]
  /** How far the server's clock is ahead of the browser's, in milliseconds; overestimated by at most a second. */
  clockOffsetMs: number
}

/** Reads offers for entries sold in this order, and which entries can't be sold. */
async function readQuotes(inventoryIds: readonly string[], signal: AbortSignal): Promise<QuotesResult> {
  const all: QuotesResult = { lines: [], refused: [], clockOffsetMs: 0 }
  for (const chunk of chunked(inventoryIds, terms.mostQuoted)) {
    const { lines, refused, clockOffsetMs } = await readChunk(chunk, signal)
    all.lines.push(...lines)
    all.refused.push(...refused)
    all.clockOffsetMs = clockOffsetMs
  }
  return all
}

/** The server refuses a chunk if one entry can't be sold, and names it. The others are requested again. */
async function readChunk(inventoryIds: readonly string[], signal: AbortSignal): Promise<QuotesResult> {
  if (inventoryIds.length === 0) return { lines: [], refused: [], clockOffsetMs: 0 }
  try {
    const call = api.POST('/api/inventory/quotes', { body: { inventoryIds: [...inventoryIds] }, signal })
    const { lines } = await read(call)
    return { lines, refused: [], clockOffsetMs: serverClockOffsetMs((await call).response) }
  } catch (error) {
    const refused = refusedIds(error, inventoryIds)
    if (!(error instanceof ApiError) || refused.length === 0) throw error
    const rest = await readChunk(
      inventoryIds.filter((id) => !refused.includes(id)),
      signal,
    )
    return { ...rest, refused: [...refused.map((inventoryId) => ({ inventoryId, code: error.code })), ...rest.refused] }
  }
}

function refusedIds(error: unknown, inventoryIds: readonly string[]): string[] {
  const details = error instanceof ApiError ? (error.details as { inventoryIds?: unknown } | undefined) : undefined
  const refused = Array.isArray(details?.inventoryIds) ? (details.inventoryIds as unknown[]) : []
  return inventoryIds.filter((id) => refused.includes(id))
}

const quotesQuery = (inventoryIds: readonly string[]) =>
  queryOptions({
    queryKey: [...keys.quotes, inventoryIds],
    queryFn: ({ signal }) => readQuotes(inventoryIds, signal),
    staleTime: 0,
    gcTime: 0,
  })

/** Current offers for the visitor's entries. */
export function useQuotes(inventoryIds: readonly string[]) {
  return useQuery({ ...quotesQuery(inventoryIds), enabled: useSignedIn() })
}

/** Entries to sell, for no less than the displayed payouts. */
interface QuickSellOrder {
  lines: Pick<Quote, 'inventoryId' | 'payoutCents'>[]
}

/** The result of a quick sell. */
export interface QuickSellResult {
  sold: QuickSale['sold']
  payoutCents: number
  /** The error that stopped the remaining calls. Sales of earlier calls are final. */
  refusal: ApiError | undefined
}

/** Sells entries to the highest offer for each, Kaibao's or a bid, in several calls if there are too many for one. */
export function useQuickSell(handlers: Handlers<QuickSellResult, QuickSellOrder>) {
  return useAct('quickSell', sellInChunks, handlers)
}

/** Derives each call's key from the act's, so that a retry repeats every call. */
async function sellInChunks({ lines }: QuickSellOrder, { params, headers }: KeyedRequest): Promise<QuickSellResult> {
  const done: QuickSellResult = { sold: [], payoutCents: 0, refusal: undefined }
  for (const [i, chunk] of chunked(lines).entries()) {
    const header = { 'Idempotency-Key': `${params.header['Idempotency-Key']}-${i}` }
    try {
      const { sold, payoutCents } = await sellChunk(chunk, { params: { header }, headers })
      done.sold.push(...sold)
      done.payoutCents += payoutCents
    } catch (error) {
      if (i === 0 || !(error instanceof ApiError) || unanswered(error) || error.status >= 500) throw error
      return { ...done, refusal: error }
    }
  }
  return done
}

function sellChunk(chunk: QuickSellOrder['lines'], keyed: KeyedRequest): Promise<QuickSale> {
  const body = {
    inventoryIds: chunk.map(({ inventoryId }) => inventoryId),
    minPayoutCents: chunk.reduce((sum, { payoutCents }) => sum + payoutCents, 0),
  }
  return read(api.POST('/api/inventory/quick-sell', { body, ...keyed }))
}
