import type { OpeningDictionary } from './texts'
import type { Haul } from './haul'
import { dollars } from '@/lib/format'
import { asRarity } from '@/lib/rarity'

type Texts = Pick<OpeningDictionary, 'opening'> & { catalogue: Pick<OpeningDictionary['catalogue'], 'rarities'> }

/** The results as text: a line per card, and the total. */
export function resultsText(haul: Pick<Haul, 'items' | 'totalValueCents'>, t: Texts): string {
  const lines = haul.items.map(({ name, rarity, baseValueCents }) =>
    t.opening.copy.line(name, t.catalogue.rarities[asRarity(rarity)], dollars(baseValueCents)),
  )
  return [...lines, t.opening.copy.total(dollars(haul.totalValueCents))].join('\n')
}
