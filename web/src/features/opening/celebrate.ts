import { type Rarity, rarities } from '@/lib/rarity'

const colours = ['#f0b02c', '#ff3fa4', '#8b5cf6']

/** Stops the bursts that are still falling. */
const falling = new Set<() => void>()

export function clearConfetti(): void {
  for (const end of falling) end()
  falling.clear()
}

/** Fires confetti for Epic and up, from the item's position (0 to 1 of the window). */
export async function celebrate(rarity: Rarity, origin: { x: number; y: number }): Promise<void> {
  if (rarities.indexOf(rarity) < rarities.indexOf('Epic')) return
  const { default: confetti } = await import('canvas-confetti')
  const canvas = document.createElement('canvas')
  canvas.ariaHidden = 'true'
  canvas.className = 'pointer-events-none fixed inset-0 z-60 size-full'
  document.body.append(canvas)
  // No worker: it would be loaded from a blob, which the CSP forbids.
  const burst = confetti.create(canvas, { resize: true, useWorker: false, disableForReducedMotion: true })
  const end = () => {
    burst.reset()
    canvas.remove()
  }
  falling.add(end)
  await burst({ particleCount: 100, spread: 84, startVelocity: 38, ticks: 170, colors: colours, origin })
  canvas.remove()
  falling.delete(end)
}
