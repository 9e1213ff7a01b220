import { ApiError } from '@/lib/api/client'
import { errorOf } from '@/lib/api/error'
import type { Bytes } from '@/lib/fair/bytes'

export function manifestUrl(hash: string): string {
  return `/api/fairness/manifests/${hash}`
}

/** The published manifest, byte for byte: its hash is over the bytes, so nothing may decode them in between. */
export async function fetchManifest(hash: string, signal: AbortSignal): Promise<Bytes> {
  const response = await fetchPublished(manifestUrl(hash), signal)
  return new Uint8Array(await response.arrayBuffer())
}

/** The public log's verifier key, "name+hash+base64". */
export async function fetchLogKey(signal: AbortSignal): Promise<string> {
  const response = await fetchPublished('/log/key', signal)
  return response.text()
}

/** These are plain texts for any verifier, not JSON of the API. */
async function fetchPublished(path: string, signal: AbortSignal): Promise<Response> {
  const response = await fetch(path, { signal }).catch((cause: unknown) => {
    throw new ApiError(0, 'network', String(cause))
  })
  if (!response.ok) throw await errorOf(response)
  return response
}
