import { queryOptions, useQuery } from '@tanstack/react-query'
import { api, read } from './client'
import { keys } from './keys'

const activityQuery = queryOptions({
  queryKey: keys.activity,
  queryFn: ({ signal }) => read(api.GET('/api/activity/recent', { signal })),
})

/** The latest opens of everybody, newest first. */
export function useActivity() {
  return useQuery(activityQuery)
}
