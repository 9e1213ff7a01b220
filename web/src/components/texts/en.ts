/** What kinds of items there are. */
export const items = {
  rarities: {
    Common: 'Common',
    Rare: 'Rare',
    Epic: 'Epic',
    Legendary: 'Legendary',
    Mythic: 'Mythic',
    Grail: 'Grail',
  },
  tiers: {
    'Secret Rare': 'Secret Rare',
    'Super Grail': 'Super Grail',
    'Mega Grail': 'Mega Grail',
  },
  sample: 'sample',
  grade: (grade: string) => `Grade ${grade}`,
  tierRange: (tier: string, range: string) => `${tier} (${range})`,
  categories: {
    pokemon: 'Pokemon',
    onepiece: 'One Piece',
    basketball: 'Basketball',
    football: 'Football',
    soccer: 'Soccer',
    baseball: 'Baseball',
    labubu: 'Labubu',
  },
}
