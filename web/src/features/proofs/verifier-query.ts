import { queryOptions } from '@tanstack/react-query'

/** What checks proofs. No page's first look needs it, but it must be here before the server goes away. */
export const verifierQuery = queryOptions({
  queryKey: ['verifier'],
  queryFn: () => import('./verifier'),
  // A browser without a network is to say so instead of waiting for one.
  networkMode: 'always',
})
