/** In the order of the "more packs" row. */
export const categories = ['basketball', 'pokemon', 'football', 'soccer', 'baseball', 'onepiece', 'labubu'] as const

export type Category = (typeof categories)[number]
