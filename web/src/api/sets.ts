import { infiniteQueryOptions, keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import type { SetPage } from '@/contract/types'
import { terms } from '@/lib/config'
import { useSession, useSignedIn } from '@/lib/session'
import { api, read } from './client'
import { keys } from './keys'
import { pagedQuery } from './paged-query'

/** Sets are public, but with a session they also have the visitor's counts: whether there is one is part of the keys. */
function useViewer() {
  const signedIn = useSignedIn()
  const { status, walletMismatch } = useSession()
  return { signedIn, enabled: status !== 'loading' && !walletMismatch }
}

const setsQuery = (signedIn: boolean, series: string | undefined) =>
  pagedQuery([...keys.sets, 'list', signedIn, series ?? ''], (page, options) =>
    api.GET('/api/sets', {
      params: { query: { ...page, limit: terms.largestPage, ...(series !== undefined && { series }) } },
      ...options,
    }),
  )

/** All series and sets or those of a category, each series before its sets, in pages. Shows the previous ones while loading. */
export function useSets(category: string | undefined) {
  const { signedIn, enabled } = useViewer()
  return useInfiniteQuery({ ...setsQuery(signedIn, category), placeholderData: keepPreviousData, enabled })
}

interface CachedSetPage {
  set: SetPage
  next: string | undefined
}

const setQuery = (signedIn: boolean, id: string) =>
  infiniteQueryOptions({
    queryKey: [...keys.setPages, signedIn, id],
    queryFn: async ({ pageParam, signal }): Promise<CachedSetPage> => {
      const call = api.GET('/api/sets/{id}', {
        params: { path: { id }, query: { limit: terms.largestPage, ...(pageParam !== '' && { cursor: pageParam }) } },
        signal,
      })
      const set = await read(call)
      const { response } = await call
      return { set, next: response.headers.get('X-Next-Cursor') ?? undefined }
    },
    initialPageParam: '',
    getNextPageParam: (last) => last.next,
  })

/** A series or set; of its cards, only the first page. */
export function useSet(id: string) {
  const { signedIn, enabled } = useViewer()
  return useInfiniteQuery({ ...setQuery(signedIn, id), select: ({ pages }) => pages[0]?.set, enabled })
}

/** The cards of a series or set, in pages. */
export function useSetCards(id: string) {
  const { signedIn, enabled } = useViewer()
  return useInfiniteQuery({
    ...setQuery(signedIn, id),
    select: ({ pages }) => pages.flatMap(({ set }) => set.cards),
    enabled,
  })
}
