import { type InfiniteData, useInfiniteQuery, useQueryClient } from '@tanstack/react-query'
import type { Page, pagedQuery } from './paged-query'

/** Rows added since a list was loaded. */
export interface NewRows {
  count: number
  /** Refetches the list from its first page. */
  show: () => Promise<unknown>
}

/** Rows that events have added to a list since it was loaded. */
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

/** Drops the other pages, which would be refetched too. */
function firstPageOnly<T>({ pages, pageParams }: InfiniteData<Page<T>>): InfiniteData<Page<T>> {
  return { pages: pages.slice(0, 1), pageParams: pageParams.slice(0, 1) }
}
