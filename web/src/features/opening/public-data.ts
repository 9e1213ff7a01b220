import type { QueryClient } from '@tanstack/react-query'
import { beaconQuery, logKeyQuery, manifestQuery, replacedKeysQuery } from '@/api/log'
import type { Signed } from './run'

/** The verifier, and the public data that the receipts of an open, and of its order, are checked against. */
export async function publicData(
  queryClient: QueryClient,
  manifestHash: string,
  { receipt, order }: Signed,
  ordered = receipt,
) {
  const [verifier, manifest, keys, beacon] = await Promise.all([
    import('@/lib/protocol/verify-open'),
    queryClient.ensureQueryData(manifestQuery(manifestHash)),
    logKeys(queryClient, [receipt, ordered]),
    order && queryClient.ensureQueryData(beaconQuery(order.beacon)),
  ])
  return [verifier, { manifest, ...keys, ...(beacon && { beacon }) }] as const
}

/** The published log key. If it didn't sign the receipts, the key may have been replaced since. */
async function logKeys(queryClient: QueryClient, receipts: readonly string[]) {
  const known = await queryClient.ensureQueryData(logKeyQuery)
  const line = `\n— ${known.split('+', 1)[0]} `
  if (receipts.every((receipt) => receipt.includes(line))) return { publishedKey: known, replacedKeys: [] }
  const [publishedKey, replacedKeys] = await Promise.all([
    queryClient.fetchQuery({ ...logKeyQuery, staleTime: 0 }),
    queryClient.fetchQuery({ ...replacedKeysQuery, staleTime: 0 }),
  ])
  return { publishedKey, replacedKeys }
}
