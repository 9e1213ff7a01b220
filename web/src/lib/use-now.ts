import { useEffect, useState } from 'react'

const everyMs = 30_000

/** The browser's time, as it was at most half a minute ago. */
export function useNow(): number {
  const [now, setNow] = useState(Date.now)
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), everyMs)
    return () => clearInterval(timer)
  }, [])
  return now
}
