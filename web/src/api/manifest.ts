import { queryOptions } from '@tanstack/react-query'
import type { Bytes } from '@/lib/protocol/bytes'
import { fetchPublished } from './published'

/** Where a manifest is published. */
export function manifestUrl(hash: string): string {
  return `/api/fairness/manifests/${hash}`
}

/** A published manifest, byte for byte. */
export function manifestQuery(hash: string) {
  return queryOptions({
    queryKey: [manifestUrl(hash)],
    queryFn: async ({ signal }): Promise<Bytes> => {
      const response = await fetchPublished(manifestUrl(hash), signal)
      return new Uint8Array(await response.arrayBuffer())
    },
  })
}
