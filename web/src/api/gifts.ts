import {
  type InfiniteData,
  keepPreviousData,
  type QueryClient,
  useInfiniteQuery,
  useMutation,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query'
import type { Gift, GiftChallenge } from '@/contract/types'
import { knownSecret } from '@/lib/gift-secret'
import { useSession, useSignedIn } from '@/lib/session'
import { type Handlers, type KeyedRequest, useAct } from './act'
import { api, read } from './client'
import { useInvalidate } from './invalidations'
import { keys } from './keys'
import { type Page, pagedQuery } from './paged-query'

export type GiftSide = Gift['side']

const newest = 20

/** The gifts that the visitor gave or can accept, newest first, in pages; refetched whenever displayed. */
export function useGifts(side: GiftSide, state: 'waiting' | 'ended') {
  const query = pagedQuery([...keys.gifts, side, state], (page, options) =>
    api.GET('/api/gifts', { params: { query: { side, state, limit: newest, ...page } }, ...options }),
  )
  return useInfiniteQuery({ ...query, staleTime: 0, enabled: useSignedIn() })
}

/** Shows how a gift ended where it waited: a pressed list keeps its rows. Returns the gift. */
function showEnd(queryClient: QueryClient, gift: Gift): Gift {
  queryClient.setQueryData<InfiniteData<Page<Gift>>>(
    [...keys.gifts, gift.side, 'waiting'],
    (list) =>
      list && {
        ...list,
        pages: list.pages.map((page) => ({
          ...page,
          entries: page.entries.map((shown) => (shown.id === gift.id ? gift : shown)),
        })),
      },
  )
  return gift
}

/** Which entries are given, and to a wallet or to anyone with a link. */
export interface GiftRequest {
  inventoryIds: string[]
  walletAddress?: string
  /** SHA-256 of the link's secret in hex. */
  secretHash?: string
}

/** Requests the text to sign. It replaces the one requested before. */
export function requestGiftChallenge(body: GiftRequest): Promise<GiftChallenge> {
  return read(api.POST('/api/gifts/challenge', { body }))
}

const renewMs = 4 * 60_000

/** The challenge of a request, renewed while displayed, before it is too old to sign. */
export function useGiftChallenge(request: GiftRequest, first: GiftChallenge) {
  return useQuery({
    queryKey: [...keys.giftChallenge, request],
    queryFn: () => requestGiftChallenge(request),
    initialData: first,
    enabled: useSignedIn(),
    refetchInterval: renewMs,
    gcTime: 0,
  })
}

interface SignedGiftRequest extends GiftRequest {
  signature: string
  signedMessage?: string
}

export function useGive(handlers: Handlers<Gift, SignedGiftRequest>) {
  return useAct('give', (body: SignedGiftRequest, keyed) => read(api.POST('/api/gifts', { body, ...keyed })), handlers)
}

interface WithId {
  id: string
}

const withId = (id: string, { params: { header }, headers }: KeyedRequest) => ({
  params: { path: { id }, header },
  headers,
})

interface Acceptance extends WithId {
  byLink: boolean
}

/** Accepts a gift: one for the visitor's wallet, or one whose link was opened in this tab. */
export function useAcceptGift(handlers: Handlers<Gift, Acceptance>) {
  const queryClient = useQueryClient()
  return useAct(
    'acceptGift',
    async ({ id, byLink }: Acceptance, keyed) => {
      // Not part of the act's body: acts without a response are kept in storage.
      const secret = byLink ? knownSecret(id) : undefined
      const body = secret ? { secret } : {}
      return showEnd(queryClient, await read(api.POST('/api/gifts/{id}/accept', { body, ...withId(id, keyed) })))
    },
    handlers,
  )
}

interface Refusal extends WithId {
  blockGiver: boolean
}

export function useRefuseGift(handlers: Handlers<Gift, Refusal>) {
  const queryClient = useQueryClient()
  return useAct(
    'refuseGift',
    async ({ id, blockGiver }: Refusal, keyed) => {
      const call = api.POST('/api/gifts/{id}/refuse', { body: { blockGiver }, ...withId(id, keyed) })
      return showEnd(queryClient, await read(call))
    },
    handlers,
  )
}

export function useCancelGift(handlers: Handlers<Gift, WithId>) {
  const queryClient = useQueryClient()
  return useAct(
    'cancelGift',
    async ({ id }: WithId, keyed) =>
      showEnd(queryClient, await read(api.POST('/api/gifts/{id}/cancel', withId(id, keyed)))),
    handlers,
  )
}

/**
 * What a gift link offers, for visitors with or without a session. The secret isn't part of the query's key; `opened`
 * counts the links that this tab has read.
 */
export function useLinkedGift(id: string, opened: number) {
  const { status, user, walletMismatch } = useSession()
  return useQuery({
    queryKey: [...keys.gifts, 'link', id, opened, user?.id ?? ''],
    queryFn: ({ signal }) =>
      read(
        api.POST('/api/gifts/{id}/view', { params: { path: { id } }, body: { secret: knownSecret(id) ?? '' }, signal }),
      ),
    placeholderData: keepPreviousData,
    staleTime: 0,
    enabled: opened > 0 && knownSecret(id) !== undefined && status !== 'loading' && !walletMismatch,
  })
}

/** Givers whose gifts the visitor doesn't see. */
export function useBlockedGivers() {
  return useQuery({
    queryKey: keys.blockedGivers,
    queryFn: ({ signal }) => read(api.GET('/api/blocked-givers', { signal })),
    staleTime: 0,
    enabled: useSignedIn(),
  })
}

export function useUnblockGiver(handlers: { onSuccess: () => void; onError: (error: Error) => void }) {
  const refresh = useInvalidate('unblockGiver')
  return useMutation({
    mutationFn: async (id: string) => {
      await api.DELETE('/api/blocked-givers/{id}', { params: { path: { id } } })
      await refresh()
    },
    ...handlers,
  })
}
