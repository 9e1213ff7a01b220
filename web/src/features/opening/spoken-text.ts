import type { OpeningDictionary } from './texts'
import { dollars } from '@/lib/format'
import { asRarity } from '@/lib/rarity'
import { isUnknown, type Run } from './run'
import { lastRound, type SealedMoment } from './sealed-moment'
import type { Show } from './show-reducer'

/** Screen reader announcements. Several packs are revealed too fast to be read out one by one. */
export function spokenText(
  { stage, haul, revealed, sealed }: Show,
  run: Run | null,
  t: OpeningDictionary,
  moment: SealedMoment,
): string {
  if (stage === 'animation') {
    const { animation, run: texts } = t.opening
    if (sealed && !(run && isUnknown(run))) return spokenMoment(moment, run, t)
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

function spokenMoment(moment: SealedMoment, run: Run | null, { opening: { sealed: t } }: OpeningDictionary): string {
  const count = run?.opened.length ?? 1
  switch (moment) {
    case 'ordering':
      return t.ordering
    case 'counting':
      return `${t.ordered(count)}. ${t.waiting(lastRound(run))}`
    case 'publishing':
      return t.publishing(lastRound(run))
    case 'late':
      return `${t.late(count)} ${t.closable}`
    case 'drawn':
      return t.drawn
  }
}
