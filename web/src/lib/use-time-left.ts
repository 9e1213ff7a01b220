import { useEffect, useEffectEvent, useState } from 'react'

const tickMs = 1000

/**
 * Milliseconds until a time of the server's clock, which is `aheadMs` ahead of the browser's; never negative. At 0 it
 * calls `onElapsed` every second until `until` changes.
 */
export function useTimeLeft(until: number | undefined, aheadMs: number, onElapsed?: () => void): number {
  const [now, setNow] = useState(Date.now)
  const left = until === undefined ? 0 : Math.max(0, until - now - aheadMs)
  const tick = useEffectEvent(() => {
    setNow(Date.now())
    if (left === 0) onElapsed?.()
  })
  useEffect(() => {
    if (until === undefined) return
    const timer = setInterval(() => tick(), tickMs)
    return () => clearInterval(timer)
  }, [until])
  return left
}
