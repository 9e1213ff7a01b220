import { localStore } from './storage'
import { createStore, useStore } from '@/lib/store'

const key = 'live'
const calm = window.matchMedia('(prefers-reduced-motion: reduce)')

/** The saved choice, or else the system's preference. */
function wanted(): boolean {
  const chosen = localStore.getItem(key)
  return chosen === null ? !calm.matches : chosen === 'on'
}

/** Whether decorative content, such as the strip of pulls, updates by itself. */
const live = createStore(wanted(), true)
calm.addEventListener('change', () => live.set(wanted()))

/** Turns updates of decorative content on or off and stores the choice. */
export function setLive(on: boolean): void {
  localStore.setItem(key, on ? 'on' : 'off')
  live.set(on)
}

export function useLive(): boolean {
  return useStore(live)
}
