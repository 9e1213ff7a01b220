import { ApiError, errorOf } from '@/contract/error'

/** Fetches a plain text made for any verifier, not JSON of the API: nothing may decode its bytes in between. */
export async function fetchPublished(path: string, signal: AbortSignal): Promise<Response> {
  const response = await fetch(path, { signal }).catch((cause: unknown) => {
    throw new ApiError(0, 'network', String(cause))
  })
  if (!response.ok) throw await errorOf(response)
  return response
}
