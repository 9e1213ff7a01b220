import { queryOptions } from '@tanstack/react-query'
import { api, read } from './client'
import { ApiError, errorOf } from '@/contract/error'
import type { Bytes } from '@/lib/protocol/bytes'

/** Fetches a published file. Verifiers hash its bytes, so it isn't decoded. */
async function fetchPublished(path: string, signal: AbortSignal): Promise<Response> {
  // oxlint-disable-next-line no-restricted-globals -- the client decodes JSON, these are bytes to hash
  const response = await fetch(path, { signal }).catch((cause: unknown) => {
    throw new ApiError(0, 'network', String(cause))
  })
  if (!response.ok) throw await errorOf(response)
  return response
}

/** Fetches a published text. */
async function fetchText(path: string, signal: AbortSignal): Promise<string> {
  return (await fetchPublished(path, signal)).text()
}

/** The last signed tree. */
export const checkpointUrl = '/log/checkpoint'

export const logKeyUrl = '/log/key'

/** The log's verifier key as this site publishes it, "name+hash+base64". */
export const logKeyQuery = queryOptions({
  queryKey: [logKeyUrl],
  queryFn: async ({ signal }) => (await fetchText(logKeyUrl, signal)).trim(),
  // Fail instead of pausing when the browser is offline.
  networkMode: 'always',
})

/** How many entries a full bundle has. */
const bundleSize = 256

/** The text of the log's first entry. */
export const firstEntryQuery = queryOptions({
  queryKey: ['/log/tile/entries/000'],
  queryFn: async ({ signal }) => {
    const size = Number((await fetchText(checkpointUrl, signal)).split('\n')[1])
    const bundle = size < bundleSize ? `000.p/${size}` : '000'
    const bytes = await (await fetchPublished(`/log/tile/entries/${bundle}`, signal)).arrayBuffer()
    // Each entry follows its length.
    return new TextDecoder().decode(bytes.slice(2, 2 + new DataView(bytes).getUint16(0)))
  },
  retry: false,
  networkMode: 'always',
})

/** The lines that name the log's witnesses and their quorum; empty if it has none. */
export const logWitnessesQuery = queryOptions({
  queryKey: ['/log/witnesses'],
  queryFn: ({ signal }) => fetchText('/log/witnesses', signal),
  staleTime: 60_000,
  retry: false,
})

/** The server's proofs that earlier log keys led to the published one. */
export const replacedKeysQuery = queryOptions({
  queryKey: ['replaced-keys'],
  queryFn: async ({ signal }) => (await read(api.GET('/api/fairness/replaced-keys', { signal }))).keys,
  networkMode: 'always',
})

/** The description of a beacon that sealed packs are drawn with, by its chain hash. */
export const beaconQuery = (hash: string) =>
  queryOptions({
    queryKey: ['/api/fairness/beacons', hash],
    queryFn: ({ signal }) =>
      read(api.GET('/api/fairness/beacons/{chain}', { params: { path: { chain: hash } }, signal })),
    staleTime: Number.POSITIVE_INFINITY,
    networkMode: 'always',
  })

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
