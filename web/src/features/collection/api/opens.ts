import { infiniteQueryOptions, useInfiniteQuery } from '@tanstack/react-query'
import { api, pageQuery, readPage } from '@/lib/api/client'
import { queryKeys } from '@/lib/query'
import { useSession } from '@/lib/session'

const opensQuery = infiniteQueryOptions({
  queryKey: queryKeys.opens,
  queryFn: ({ pageParam, signal }) =>
    readPage(api.GET('/api/opens', { params: { query: pageQuery(pageParam) }, signal })),
  initialPageParam: undefined as string | undefined,
  getNextPageParam: (last) => last.next,
  select: ({ pages }) => pages.flatMap(({ entries }) => entries),
})

/** Everything the visitor ever opened, newest first, a page at a time. */
export function useOpens() {
  const { status, frozen } = useSession()
  return useInfiniteQuery({ ...opensQuery, enabled: status === 'signed-in' && !frozen })
}
