import { useEffect, useEffectEvent, useState } from 'react'

const everyMs = 1000

/**
 * How many milliseconds are left until a moment of the server's clock, which is so far before the browser's;
 * never less than 0. Once none are left it asks, every second, until it is given another moment.
 */
export function useTimeLeft(until: number | undefined, aheadMs: number, ask?: () => void): number {
  const [now, setNow] = useState(Date.now)
  const left = until === undefined ? 0 : Math.max(0, until - now - aheadMs)
  const tick = useEffectEvent(() => {
    setNow(Date.now())
    if (left === 0) ask?.()
  })
  useEffect(() => {
    if (until === undefined) return
    const timer = setInterval(() => tick(), everyMs)
    return () => clearInterval(timer)
  }, [until])
  return left
}
