/** The tiers in order of worth. Grail is the toys' highest tier and looks like Mythic. */
export const rarities = ['Common', 'Rare', 'Epic', 'Legendary', 'Mythic', 'Grail'] as const

export type Rarity = (typeof rarities)[number]

/** A rarity from the server; one we do not know is shown as Common. */
export function asRarity(text: string): Rarity {
  return rarities.find((rarity) => rarity === text) ?? 'Common'
}
