import { queryOptions } from '@tanstack/react-query'
import { fetchPublished } from './published'

export const logKeyUrl = '/log/key'

/** The log's verifier key as this site publishes it, "name+hash+base64". */
export const logKeyQuery = queryOptions({
  queryKey: [logKeyUrl],
  queryFn: async ({ signal }) => {
    const response = await fetchPublished(logKeyUrl, signal)
    return (await response.text()).trim()
  },
  // A browser without a network is to say so instead of waiting for one.
  networkMode: 'always',
})
