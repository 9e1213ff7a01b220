import { queryOptions } from '@tanstack/react-query'

/** The verifier's code. Loaded after the page, but early, so that files can be checked when the server is down. */
export const verifierQuery = queryOptions({
  queryKey: ['verifier'],
  queryFn: () => import('./verifier'),
  // Fail instead of pausing when the browser is offline.
  networkMode: 'always',
})
