import type { components } from '@/contract/schema'

/** The server's configuration and policy figures, from index.html. */
type Config = components['schemas']['PageConfig']

export const config = JSON.parse(document.getElementById('kaibao-config')?.textContent ?? '') as Config
export const { terms } = config
/** A pack's cover, available before its data. */
export type Cover = Config['covers'][number]
