import type { OpeningDictionary } from './texts'
import { dollars } from '@/lib/format'
import { asRarity } from '@/lib/rarity'
import { isUnknown, type Run } from './run'
import type { Show } from './show-reducer'

/** Screen reader announcements. Several packs are revealed too fast to be read out one by one. */
export function spokenText({ stage, haul, revealed }: Show, run: Run | null, t: OpeningDictionary): string {
  if (stage === 'animation') {
    const { animation, run: texts } = t.opening
    return run && run.quantity > 1 && isUnknown(run) ? texts.checking(run.opened.length) : animation.text
  }
  const best = haul?.items.at(-1)
  if (!haul || !best) return ''
  const { items, totalValueCents, openings } = haul
  const several = openings.length > 1
  if (stage === 'results') {
    const { announcement, announcementMany } = t.opening.results
    const total = dollars(totalValueCents)
    return several
      ? announcementMany(openings.length, items.length, total, best.name, dollars(best.baseValueCents))
      : announcement(items.length, total)
  }
  const item = items[revealed - 1]
  if (!item || several) return ''
  const rarity = t.catalogue.rarities[asRarity(item.rarity)]
  return t.opening.reveal.shown(revealed, items.length, item.name, rarity, dollars(item.baseValueCents))
}
