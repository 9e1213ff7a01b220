/** What every page loads once it is idle, in one chunk. */
export { default as PullStrip } from '@/features/leaderboard/pull-strip'
export { LiveUpdates } from './live-updates'
