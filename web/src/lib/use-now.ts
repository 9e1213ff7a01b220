import { useEffect, useState } from 'react'
import { clockOffset } from './server-clock'
import { useStore } from './store'

const everyMs = 30_000

/** The server's time, updated every 30 seconds. The visitor's own clock may be hours off. */
export function useNow(): number {
  const aheadMs = useStore(clockOffset)
  const [now, setNow] = useState(Date.now)
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), everyMs)
    return () => clearInterval(timer)
  }, [])
  return now + aheadMs
}
