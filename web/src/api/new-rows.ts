import { type InfiniteData, useInfiniteQuery, useQueryClient } from '@tanstack/react-query'
import type { Page, pagedQuery } from './paged-query'

/** What has come since a list was read. */
export interface NewRows {
  count: number
  /** Reads the list afresh, from its beginning. */
  show: () => Promise<unknown>
}

/** What the feed has told of since a list was read that would stand in it. */
export function useNewRows<T>(query: ReturnType<typeof pagedQuery<T>>): NewRows {
  const queryClient = useQueryClient()
  const { queryKey } = query
  const { data = 0 } = useInfiniteQuery({
    ...query,
    enabled: false,
    select: ({ pages }) => pages[0]?.newIds?.length ?? 0,
  })
  return {
    count: data,
    show() {
      queryClient.setQueryData<InfiniteData<Page<T>>>(queryKey, (before) => before && firstPageOnly(before))
      return queryClient.refetchQueries({ queryKey, exact: true })
    },
  }
}

/** What was read of it further down would all be asked for again. */
function firstPageOnly<T>({ pages, pageParams }: InfiniteData<Page<T>>): InfiniteData<Page<T>> {
  return { pages: pages.slice(0, 1), pageParams: pageParams.slice(0, 1) }
}
