import type { QueryClient } from '@tanstack/react-query'
import { beaconQuery, logKeyQuery, manifestQuery, replacedKeysQuery } from '@/api/log'
import type { Signed } from './run'

/** The verifier, and the public data that a receipt is checked against. */
export async function publicData(queryClient: QueryClient, manifestHash: string, { receipt, order }: Signed) {
  const [verifier, manifest, keys, beacon] = await Promise.all([
    import('@/lib/protocol/verify-open'),
    queryClient.ensureQueryData(manifestQuery(manifestHash)),
    logKeys(queryClient, receipt),
    order && queryClient.ensureQueryData(beaconQuery(order.beacon)),
  ])
  return [verifier, { manifest, ...keys, ...(beacon && { beacon }) }] as const
}

/** The published log key. If it didn't sign the receipt, the key may have been replaced since it was loaded. */
async function logKeys(queryClient: QueryClient, receipt: string) {
  const known = await queryClient.ensureQueryData(logKeyQuery)
  if (receipt.includes(`\n— ${known.split('+', 1)[0]} `)) return { publishedKey: known, replacedKeys: [] }
  const [publishedKey, replacedKeys] = await Promise.all([
    queryClient.fetchQuery({ ...logKeyQuery, staleTime: 0 }),
    queryClient.fetchQuery({ ...replacedKeysQuery, staleTime: 0 }),
  ])
  return { publishedKey, replacedKeys }
}
