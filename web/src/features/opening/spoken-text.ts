import type { OpeningDictionary } from './texts'
import { dollars } from '@/lib/format'
import { asRarity } from '@/lib/rarity'
import type { Show } from './show-reducer'

/** Screen reader announcements. */
export function spokenText({ stage, opening, revealed }: Show, t: OpeningDictionary): string {
  if (stage === 'animation') return t.opening.animation.text
  if (!opening) return ''
  const { items, totalValueCents } = opening
  if (stage === 'results') return t.opening.results.announcement(items.length, dollars(totalValueCents))
  const item = items[revealed - 1]
  if (!item) return ''
  const rarity = t.catalogue.rarities[asRarity(item.rarity)]
  return t.opening.reveal.shown(revealed, items.length, item.name, rarity, dollars(item.baseValueCents))
}
