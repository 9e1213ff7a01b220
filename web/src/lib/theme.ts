import { createStore, useStore } from '@/lib/store'

export type Theme = 'dark' | 'light'

const key = 'theme'

const theme = createStore<Theme>(localStorage.getItem(key) === 'light' ? 'light' : 'dark')

/** Puts the theme on the document root and remembers it. */
export function setTheme(next: Theme): void {
  theme.set(next)
  localStorage.setItem(key, next)
  document.documentElement.classList.toggle('light', next === 'light')
}

export function useTheme(): Theme {
  return useStore(theme)
}
