import { savePreference } from '@/lib/preference'
import { localStore } from './storage'
import { createStore, useStore } from '@/lib/store'

export type Theme = 'dark' | 'light'

const theme = createStore<Theme>(localStore.getItem('theme') === 'light' ? 'light' : 'dark', 'dark')

/** Disables transitions during the switch: hundreds of them at the same time would stutter. */
function recolour(): void {
  const { classList } = document.documentElement
  classList.add('no-transitions')
  classList.toggle('light', theme.get() === 'light')
  requestAnimationFrame(() => requestAnimationFrame(() => classList.remove('no-transitions')))
}

// The server knows the theme by a cookie, which may have expired.
document.documentElement.classList.toggle('light', theme.get() === 'light')

/** Puts the theme on the document root and remembers it. */
export function setTheme(next: Theme): void {
  theme.set(next)
  savePreference('theme', next)
  // The switch answers first; then everything changes colour, in the frame after.
  requestAnimationFrame(() => setTimeout(recolour))
}

export function useTheme(): Theme {
  return useStore(theme)
}
