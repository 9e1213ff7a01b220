import { createStore } from './store'

/** Smaller changes come from the rounding of the Date header. */
const roundingMs = 1500

/** How far the server's clock is ahead of the browser's, by the last response; overestimated by at most a second. */
let aheadMs = 0

/** The same for components, without changes that come from rounding. */
export const clockOffset = createStore(0)

/** Sets how far the server's clock is ahead, in milliseconds. */
export function setClockOffset(ahead: number): void {
  aheadMs = ahead
  if (Math.abs(ahead - clockOffset.get()) >= roundingMs) clockOffset.set(ahead)
}

/** The server's time in milliseconds since 1970, underestimated by at most a second. */
export function serverNow(): number {
  return Date.now() + aheadMs - 1000
}
