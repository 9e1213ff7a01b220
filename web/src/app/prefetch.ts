import type { QueryClient } from '@tanstack/react-query'
import { preload } from 'react-dom'
import { packQuery, packsQuery } from '@/api/packs'
import { coverSizes } from '@/features/store/cover-sizes'
import type { Pack } from '@/contract/types'

const coversInSight = 8

/** The covers are a page's largest pictures. */
function coverAhead({ coverImageUrl, coverSources }: Pack, imageSizes: string) {
  preload(coverImageUrl, { as: 'image', fetchPriority: 'high', imageSrcSet: coverSources, imageSizes })
}

export async function prefetchStore(queryClient: QueryClient): Promise<void> {
  const packs = await queryClient.fetchQuery(packsQuery)
  for (const shown of packs.slice(0, coversInSight)) coverAhead(shown, coverSizes.card)
}

export async function prefetchPack(queryClient: QueryClient, packId: string): Promise<void> {
  coverAhead(await queryClient.fetchQuery(packQuery(packId)), coverSizes.page)
}
