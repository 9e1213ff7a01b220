import { useMutation } from '@tanstack/react-query'
import { api, read } from '@/lib/api/client'
import { errorOf } from '@/lib/api/error'
import type { Item, Pack } from '@/lib/api/types'
import { parseManifest } from '@/lib/fair/manifest'
import { pickDemoCard } from '../pick'

async function pull({ manifestHash }: Pick<Pack, 'manifestHash'>): Promise<Item> {
  const response = await fetch(`/api/fairness/manifests/${manifestHash}`)
  if (!response.ok) throw await errorOf(response)
  const id = pickDemoCard(parseManifest(new Uint8Array(await response.arrayBuffer())))
  return read(api.GET('/api/items/{id}', { params: { path: { id } } }))
}

/** Picks an item of the pack's published table. Nothing is drawn, charged or kept. */
export function useDemoPull() {
  return useMutation({ mutationFn: pull })
}
