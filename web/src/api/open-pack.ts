import type { OpenResult } from '@/contract/types'
import type { Keyed } from './act'
import { api, read } from './client'

/** All that an open depends on: the same again is the same draw. */
export interface OpenOrder {
  packId: string
  clientSeed: string
  /** The commitment shown before the seed was made. */
  commitment: string
  /** Hash of the manifest the visitor agreed to. */
  manifest: string
}

/** Draws and charges. Sent with `useAct`. */
export function openPack({ packId, ...body }: OpenOrder, { params, headers }: Keyed): Promise<OpenResult> {
  return read(api.POST('/api/packs/{id}/open', { params: { ...params, path: { id: packId } }, headers, body }))
}
