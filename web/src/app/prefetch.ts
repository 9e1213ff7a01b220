import type { QueryClient } from '@tanstack/react-query'
import { preload } from 'react-dom'
import { drawsQuery } from '@/api/fairness'
import { itemQuery } from '@/api/items'
import { leaderboardQuery } from '@/api/leaderboard'
import { packCardsQuery } from '@/api/pack-cards'
import { packQuery, packsQuery } from '@/api/packs'
import { profileQuery } from '@/api/profile'
import { sharedPullQuery } from '@/api/pulls'
import type { Pack } from '@/contract/types'
import { coverSizes } from '@/features/store/cover-sizes'

/** Requests the data of pages while their code is loading. `pages.ts` says which page uses which. */

const visibleCovers = 8

/** Covers are the largest images of a page. */
function preloadCover({ coverImageUrl, coverSources }: Pack, imageSizes: string) {
  preload(coverImageUrl, { as: 'image', fetchPriority: 'high', imageSrcSet: coverSources, imageSizes })
}

export const prefetchHome = (queryClient: QueryClient) => queryClient.prefetchQuery(packsQuery)

export async function prefetchStore(queryClient: QueryClient): Promise<void> {
  const packs = await queryClient.fetchQuery(packsQuery)
  for (const pack of packs.slice(0, visibleCovers)) preloadCover(pack, coverSizes.card)
}

export async function prefetchPack(queryClient: QueryClient, packId: string): Promise<void> {
  const pack = await queryClient.fetchQuery(packQuery(packId))
  preloadCover(pack, coverSizes.page)
  await queryClient.prefetchInfiniteQuery(packCardsQuery(pack))
}

export const prefetchItem = (queryClient: QueryClient, itemId: string) => queryClient.prefetchQuery(itemQuery(itemId))

export const prefetchPull = (queryClient: QueryClient, openId: string) =>
  queryClient.prefetchQuery(sharedPullQuery(openId))

export const prefetchProfile = (queryClient: QueryClient, handle: string) =>
  queryClient.prefetchQuery(profileQuery(handle))

export const prefetchLeaderboard = (queryClient: QueryClient, ranking: Parameters<typeof leaderboardQuery>[0]) =>
  queryClient.prefetchQuery(leaderboardQuery(ranking))

export const prefetchDraws = (queryClient: QueryClient) => queryClient.prefetchQuery(drawsQuery)
