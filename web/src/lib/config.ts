import type { components } from '@/contract/schema'

/** What the server tells the page about itself and the terms of the house, in index.html. */
type Config = components['schemas']['PageConfig']

export const config = JSON.parse(document.getElementById('kaibao-config')?.textContent ?? '') as Config
export const { terms } = config
/** How a pack looks, for who has nothing else of it yet. */
export type Cover = Config['covers'][number]
