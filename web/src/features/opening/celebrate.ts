import { type Rarity, rarities } from '@/lib/rarity'

const colours = ['#f0b02c', '#ff3fa4', '#8b5cf6']

/** How to end each burst that is still falling. */
const falling = new Set<() => void>()

/** Takes away what is still falling. */
export function settle(): void {
  for (const end of falling) end()
  falling.clear()
}

/** 100 particles of gold, magenta and purple for Epic and up, from where the item lies (0 … 1 of the window). */
export async function celebrate(rarity: Rarity, origin: { x: number; y: number }): Promise<void> {
  if (rarities.indexOf(rarity) < rarities.indexOf('Epic')) return
  const { default: confetti } = await import('canvas-confetti')
  const canvas = document.createElement('canvas')
  canvas.ariaHidden = 'true'
  canvas.className = 'pointer-events-none fixed inset-0 z-60 size-full'
  document.body.append(canvas)
  // Drawn on the page's own thread: a worker would come from a blob, which the page's policy forbids.
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
