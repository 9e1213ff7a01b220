import { createStore } from './store'

/** Below this a difference is the rounding of an answer's date, not news. */
const jitterMs = 1500

/** How far the server's clock was ahead of the browser's at the last answer: at most a second more than the truth. */
let aheadMs = 0

/** The same for components, which don't follow every rounding. */
export const clockOffset = createStore(0)

/** Notes how far ahead the server's clock was at its last answer, in milliseconds. */
export function setClockOffset(ahead: number): void {
  aheadMs = ahead
  if (Math.abs(ahead - clockOffset.get()) >= jitterMs) clockOffset.set(ahead)
}

/** The server's time: never later than the truth, and at most a second earlier. */
export function serverNow(): number {
  return Date.now() + aheadMs - 1000
}
