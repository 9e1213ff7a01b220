import { localStore } from './storage'

const yearSeconds = 365 * 24 * 60 * 60

/** Preferences that the server needs to choose a pre-rendered page. */
type PreferenceName = 'theme' | 'language'

/** Stores a choice for the next visit, and in a cookie for the server, which app/idle.tsx renews on each visit. */
export function savePreference(name: PreferenceName, value: string): void {
  localStore.setItem(name, value)
  document.cookie = `${name}=${value}; path=/; samesite=lax; max-age=${yearSeconds}`
}
