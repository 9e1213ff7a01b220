import { sessionStore } from './storage'
import { createStore, useStore } from '@/lib/store'

const key = 'motion'
const calm = window.matchMedia('(prefers-reduced-motion: reduce)')

/** The choice on this visit, or else the system's preference. */
function wanted(): boolean {
  const chosen = sessionStore.getItem(key)
  return chosen === null ? !calm.matches : chosen === 'on'
}

/** Whether pictures may move on by themselves, without end. */
const motion = createStore(wanted(), true)
calm.addEventListener('change', () => motion.set(wanted()))

/** Lets pictures move or stops them all, and remembers it for the visit. */
export function setMotion(on: boolean): void {
  sessionStore.setItem(key, on ? 'on' : 'off')
  motion.set(on)
}

export function useMotion(): boolean {
  return useStore(motion)
}
