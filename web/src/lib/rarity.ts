/** Rarities, lowest first. Grail is the highest for toys and looks like Mythic. */
export const rarities = ['Common', 'Rare', 'Epic', 'Legendary', 'Mythic', 'Grail'] as const

export type Rarity = (typeof rarities)[number]

/** Converts the server's rarity; unknown ones become Common. */
export function asRarity(text: string): Rarity {
  return rarities.find((rarity) => rarity === text) ?? 'Common'
}
