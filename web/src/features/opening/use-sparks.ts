import { useEffect, useRef } from 'react'
import { config } from '@/lib/config'
import { asRarity, rarities } from '@/lib/rarity'
import { playReveal } from '@/lib/sound'
import { celebrate, clearConfetti } from './celebrate'
import type { Haul } from './haul'
import type { Show } from './show-reducer'

/** Plays sound and confetti for newly revealed items; after a skip only for the best one. */
export function useSparks({ haul, sparked }: Pick<Show, 'haul' | 'sparked'>): void {
  const done = useRef(0)
  // No confetti over the next pack, or over the page after the dialog closes.
  useEffect(() => (haul ? clearConfetti : undefined), [haul])
  useEffect(() => {
    const from = done.current
    done.current = sparked
    const fresh = haul?.items.slice(from, sparked) ?? []
    const ranks = fresh.map(({ rarity }) => rarities.indexOf(asRarity(rarity)))
    const best = rarities[Math.max(...ranks)]
    if (!best) return
    if (!haul || !mayCelebrate(haul)) return
    playReveal(best)
    void celebrate(best, centreOf(from + ranks.indexOf(Math.max(...ranks))))
  }, [haul, sparked])
}

/** The house rules may turn off celebrations for results worth no more than the price. */
export function mayCelebrate({ totalValueCents, priceCents }: Pick<Haul, 'totalValueCents' | 'priceCents'>): boolean {
  return config.rules.celebrateLosses || totalValueCents > priceCents
}

/** The item's center, as a fraction of the window. */
function centreOf(item: number): { x: number; y: number } {
  const box = document.querySelector(`[data-item="${item}"]`)?.getBoundingClientRect()
  if (!box?.width) return { x: 0.5, y: 0.5 }
  return {
    x: (box.left + box.width / 2) / window.innerWidth,
    y: (box.top + box.height / 2) / window.innerHeight,
  }
}
