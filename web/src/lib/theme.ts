import { createStore, useStore } from '@/lib/store'

export type Theme = 'dark' | 'light'

const key = 'theme'

const theme = createStore<Theme>(localStorage.getItem(key) === 'light' ? 'light' : 'dark')

/** Puts the theme on the document root and remembers it. */
export function setTheme(next: Theme): void {
  theme.set(next)
  localStorage.setItem(key, next)
  const { classList } = document.documentElement
  // Everything changes colour: hundreds of soft changes at once would be neither soft nor quick.
  classList.add('no-transitions')
  classList.toggle('light', next === 'light')
  requestAnimationFrame(() => requestAnimationFrame(() => classList.remove('no-transitions')))
}

export function useTheme(): Theme {
  return useStore(theme)
}
