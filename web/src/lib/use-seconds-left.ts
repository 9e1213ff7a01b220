import { useEffect, useState } from 'react'

/** Whole seconds until then, rounded up. `at` is in milliseconds of `performance.now()`, whatever the device's clock says. */
export function useSecondsLeft(at: number): number {
  const [seconds, setSeconds] = useState(() => secondsUntil(at))
  useEffect(() => {
    const update = () => setSeconds(secondsUntil(at))
    update()
    const timer = setInterval(update, 100)
    return () => clearInterval(timer)
  }, [at])
  return seconds
}

function secondsUntil(at: number): number {
  return Math.max(0, Math.ceil((at - performance.now()) / 1000))
}
