import { useEffect, useRef } from 'react'
import { config } from '@/lib/config'
import type { OpenResult } from '@/contract/types'
import { asRarity, rarities } from '@/lib/rarity'
import { playReveal } from '@/lib/sound'
import { celebrate, settle } from './celebrate'
import type { Show } from './machine'

/** Sound and confetti for what has just been shown. After a skip the best item speaks for all. */
export function useSparks({ opening, sparked }: Pick<Show, 'opening' | 'sparked'>): void {
  const done = useRef(0)
  // Nothing falls on the next pack, or on the page behind a closed dialog.
  useEffect(() => (opening ? settle : undefined), [opening])
  useEffect(() => {
    const from = done.current
    done.current = sparked
    const fresh = opening?.items.slice(from, sparked) ?? []
    const ranks = fresh.map(({ rarity }) => rarities.indexOf(asRarity(rarity)))
    const best = rarities[Math.max(...ranks)]
    if (!best) return
    if (!opening || !celebrated(opening)) return
    playReveal(best)
    void celebrate(best, centreOf(from + ranks.indexOf(Math.max(...ranks))))
  }, [opening, sparked])
}

/** By the house's rules, results that are worth less than the price may go without. */
export function celebrated({
  totalValueCents,
  priceCents,
}: Pick<OpenResult, 'totalValueCents' | 'priceCents'>): boolean {
  return config.rules.celebrateLosses || totalValueCents > priceCents
}

/** Where an item stands in the window, 0 to 1 each way. */
function centreOf(item: number): { x: number; y: number } {
  const box = document.querySelector(`[data-item="${item}"]`)?.getBoundingClientRect()
  if (!box?.width) return { x: 0.5, y: 0.5 }
  return {
    x: (box.left + box.width / 2) / window.innerWidth,
    y: (box.top + box.height / 2) / window.innerHeight,
  }
}
