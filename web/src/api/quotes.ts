import { queryOptions, useQuery } from '@tanstack/react-query'
import { ApiError, type ErrorCode } from '@/contract/error'
import type { Quote } from '@/contract/types'
import { terms } from '@/lib/config'
import { useMine } from '@/lib/session'
import { aheadOf, api, read } from './client'
import { keys } from './keys'
import { inLots } from './lots'

/** An entry that cannot be sold now, and why. */
export interface Refused {
  inventoryId: string
  code: ErrorCode
}

/** What some entries would bring now, and who would pay it. */
export interface QuotesNow {
  lines: Quote[]
  refused: Refused[]
  /** How far the server's clock is before the browser's, in milliseconds; at most a second more than the truth. */
  aheadMs: number
}

/** What would be paid if they are sold in this order, and which of the entries nobody can buy. */
async function readQuotes(inventoryIds: readonly string[], signal: AbortSignal): Promise<QuotesNow> {
  const all: QuotesNow = { lines: [], refused: [], aheadMs: 0 }
  for (const lot of inLots(inventoryIds, terms.mostQuoted)) {
    const { lines, refused, aheadMs } = await readLot(lot, signal)
    all.lines.push(...lines)
    all.refused.push(...refused)
    all.aheadMs = aheadMs
  }
  return all
}

/** The server refuses the lot for one entry that cannot be sold, and names it: the rest is asked for again. */
async function readLot(inventoryIds: readonly string[], signal: AbortSignal): Promise<QuotesNow> {
  if (inventoryIds.length === 0) return { lines: [], refused: [], aheadMs: 0 }
  try {
    const call = api.POST('/api/inventory/quotes', { body: { inventoryIds: [...inventoryIds] }, signal })
    const { lines } = await read(call)
    return { lines, refused: [], aheadMs: aheadOf((await call).response) }
  } catch (error) {
    const named = namedBy(error, inventoryIds)
    if (!(error instanceof ApiError) || named.length === 0) throw error
    const rest = await readLot(
      inventoryIds.filter((id) => !named.includes(id)),
      signal,
    )
    return { ...rest, refused: [...named.map((inventoryId) => ({ inventoryId, code: error.code })), ...rest.refused] }
  }
}

function namedBy(error: unknown, asked: readonly string[]): string[] {
  const details = error instanceof ApiError ? (error.details as { inventoryIds?: unknown } | undefined) : undefined
  const named = Array.isArray(details?.inventoryIds) ? (details.inventoryIds as unknown[]) : []
  return asked.filter((id) => named.includes(id))
}

const quotesQuery = (inventoryIds: readonly string[]) =>
  queryOptions({
    queryKey: [...keys.quotes, inventoryIds],
    queryFn: ({ signal }) => readQuotes(inventoryIds, signal),
    staleTime: 0,
    gcTime: 0,
  })

/** What some of the visitor's entries bring now. */
export function useQuotes(inventoryIds: readonly string[]) {
  return useQuery({ ...quotesQuery(inventoryIds), enabled: useMine() })
}
