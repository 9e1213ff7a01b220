import type { QueryClient } from '@tanstack/react-query'
import { preload } from 'react-dom'
import { packQuery, packsQuery } from '@/api/packs'

const coversInSight = 8

/** The covers are a page's largest pictures. */
function coversAhead(packs: readonly { coverImageUrl: string }[]) {
  for (const { coverImageUrl } of packs) preload(coverImageUrl, { as: 'image', fetchPriority: 'high' })
}

export async function store(queryClient: QueryClient): Promise<void> {
  coversAhead((await queryClient.fetchQuery(packsQuery)).slice(0, coversInSight))
}

export async function pack(queryClient: QueryClient, packId: string): Promise<void> {
  coversAhead([await queryClient.fetchQuery(packQuery(packId))])
}
