import { api, read } from './client'

/** Draws the card of a demo open. Nothing is charged or kept. */
export const demoPull = (packId: string) => read(api.GET('/api/packs/{id}/demo', { params: { path: { id: packId } } }))
