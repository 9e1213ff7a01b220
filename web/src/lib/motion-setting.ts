import { sessionStore } from './storage'
import { createStore, useStore } from '@/lib/store'

const key = 'motion'
const reducedMotion = window.matchMedia('(prefers-reduced-motion: reduce)')

/** The choice for this visit, else the system's preference. */
function initialMotion(): boolean {
  const chosen = sessionStore.getItem(key)
  return chosen === null ? !reducedMotion.matches : chosen === 'on'
}

/** Whether endless animations run. */
const motion = createStore(initialMotion(), true)
reducedMotion.addEventListener('change', () => motion.set(initialMotion()))

/** Turns endless animations on or off for this visit. */
export function setMotion(on: boolean): void {
  sessionStore.setItem(key, on ? 'on' : 'off')
  motion.set(on)
}

export function useMotion(): boolean {
  return useStore(motion)
}
