import { useMutation, useQueryClient } from '@tanstack/react-query'
import { itemQuery } from '@/api/items'
import { manifestQuery } from '@/api/log'
import type { Item, Pack } from '@/contract/types'
import { parseManifest } from '@/lib/protocol/manifest'
import { pickDemoCard } from './pick'

/** Picks an item from the pack's manifest. Nothing is charged or kept. */
export function useDemoPull() {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: async ({ manifestHash }: Pick<Pack, 'manifestHash'>): Promise<Item> => {
      const manifest = await queryClient.fetchQuery(manifestQuery(manifestHash))
      return queryClient.fetchQuery(itemQuery(pickDemoCard(parseManifest(manifest))))
    },
  })
}
