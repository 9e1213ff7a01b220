import { savePreference } from '@/lib/preference'
import { localStore } from './storage'
import { createStore, useStore } from '@/lib/store'

export type Theme = 'dark' | 'light'

const theme = createStore<Theme>(localStore.getItem('theme') === 'light' ? 'light' : 'dark', 'dark')

/** Disables transitions during the switch, because hundreds at the same time would stutter. */
function applyTheme(): void {
  const { classList } = document.documentElement
  classList.add('no-transitions')
  classList.toggle('light', theme.get() === 'light')
  requestAnimationFrame(() => requestAnimationFrame(() => classList.remove('no-transitions')))
}

// The server reads the theme from a cookie, which may have expired.
document.documentElement.classList.toggle('light', theme.get() === 'light')

/** Sets the theme and stores it. */
export function setTheme(next: Theme): void {
  theme.set(next)
  savePreference('theme', next)
  // Change the colors in the next frame, so that the switch itself responds at once.
  requestAnimationFrame(() => setTimeout(applyTheme))
}

export function useTheme(): Theme {
  return useStore(theme)
}
