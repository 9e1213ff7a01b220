import { localStore } from './storage'
import { createStore, useStore } from '@/lib/store'

const key = 'live'
const calm = window.matchMedia('(prefers-reduced-motion: reduce)')

/** What was chosen; before a choice, what the system asks for. */
function wanted(): boolean {
  const chosen = localStore.getItem(key)
  return chosen === null ? !calm.matches : chosen === 'on'
}

/** Whether what happens elsewhere changes by itself what is on the screen for show. */
const live = createStore<boolean>(wanted())
calm.addEventListener('change', () => live.set(wanted()))

/** Lets it change or stand still, and remembers it. */
export function setLive(on: boolean): void {
  localStore.setItem(key, on ? 'on' : 'off')
  live.set(on)
}

export function useLive(): boolean {
  return useStore(live)
}
