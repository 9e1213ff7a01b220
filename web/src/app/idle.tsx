/** What every page loads once it is idle, in one chunk. */
import { savePreference } from '@/lib/preference'
import { localStore } from '@/lib/storage'

export { default as PullStrip } from '@/features/leaderboard/pull-strip'
export { LiveUpdates } from './live-updates'

// Browsers keep cookies for a shorter time than stored choices.
for (const name of ['theme', 'language'] as const) {
  const choice = localStore.getItem(name)
  if (choice !== null) savePreference(name, choice)
}
