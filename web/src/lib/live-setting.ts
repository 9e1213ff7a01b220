import { localStore } from './storage'
import { createStore, useStore } from '@/lib/store'

const key = 'live'
const reducedMotion = window.matchMedia('(prefers-reduced-motion: reduce)')

/** The stored choice, else the system's preference. */
function initialLive(): boolean {
  const chosen = localStore.getItem(key)
  return chosen === null ? !reducedMotion.matches : chosen === 'on'
}

/** Whether decorative content, such as the strip of pulls, updates by itself. */
const live = createStore(initialLive(), true)
reducedMotion.addEventListener('change', () => live.set(initialLive()))

/** Turns updates of decorative content on or off and stores the choice. */
export function setLive(on: boolean): void {
  localStore.setItem(key, on ? 'on' : 'off')
  live.set(on)
}

export function useLive(): boolean {
  return useStore(live)
}
