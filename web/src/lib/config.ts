import type { components } from './contract/schema'

/** What the server tells the page about itself and the terms of the house, in index.html. */
type Config = components['schemas']['PageConfig']

export const config = JSON.parse(document.getElementById('kaibao-config')?.textContent ?? '') as Config
export const { terms } = config
