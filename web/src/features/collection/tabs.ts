export const collectionTabs = ['all', 'listed', 'unlisted', 'Common', 'Rare', 'Epic', 'Legendary', 'Mythic'] as const

export type CollectionTab = (typeof collectionTabs)[number]
