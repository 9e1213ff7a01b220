import { queryOptions, useQuery } from '@tanstack/react-query'
import { api, read } from '@/lib/api/client'
import { queryKeys } from '@/lib/query'

const activityQuery = queryOptions({
  queryKey: queryKeys.activity,
  queryFn: ({ signal }) => read(api.GET('/api/activity/recent', { signal })),
})

/** The latest opens of everybody, newest first. */
export function useActivity() {
  return useQuery(activityQuery)
}
