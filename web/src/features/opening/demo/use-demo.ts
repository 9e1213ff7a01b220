import { useEffect, useState } from 'react'
import type { DemoPull, Pack } from '@/contract/types'
import { asRarity } from '@/lib/rarity'
import { playPackOpening, playReveal } from '@/lib/sound'
import { useDemoPull } from './use-demo-pull'

/** Milliseconds. */
const demoTiming = { animation: 2500, packSound: 500, revealSound: 800 } as const

type Phase = 'intro' | 'animation' | 'reveal'

/** The demo's phases. It has no results stage, because nothing was won. */
export function useDemo(pack: Pack) {
  const [phase, setPhase] = useState<Phase>('intro')
  const [pull, setPull] = useState<DemoPull>()
  const item = pull?.item
  const [animationDone, setAnimationDone] = useState(false)
  const { mutate, error } = useDemoPull()

  useEffect(() => {
    if (phase !== 'animation') return
    const timers = [
      setTimeout(playPackOpening, demoTiming.packSound),
      setTimeout(() => setAnimationDone(true), demoTiming.animation),
    ]
    return () => timers.forEach(clearTimeout)
  }, [phase])

  if (phase === 'animation' && animationDone && item) setPhase('reveal')

  useEffect(() => {
    if (phase !== 'reveal' || !item) return
    const timer = setTimeout(() => playReveal(asRarity(item.rarity)), demoTiming.revealSound)
    return () => clearTimeout(timer)
  }, [phase, item])

  function rip() {
    setPull(undefined)
    setAnimationDone(false)
    setPhase('animation')
    mutate(pack, {
      onSuccess: setPull,
      onError: () => setPhase('intro'),
    })
  }

  return { phase, pull, error, tearing: item !== undefined, rip, skip: () => setAnimationDone(true) }
}
