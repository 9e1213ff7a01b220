import { useEffect, useState } from 'react'

/** How long what is typed has to stay before it counts. */
const settledAfterMs = 300

/** A value once it has not changed for a moment, by what it is as JSON; the first one at once. */
export function useSettled<T>(value: T): T {
  const text = JSON.stringify(value)
  const [settled, setSettled] = useState({ text, value })
  useEffect(() => {
    const timer = setTimeout(() => setSettled({ text, value }), settledAfterMs)
    return () => clearTimeout(timer)
    // eslint-disable-next-line react-hooks/exhaustive-deps -- the text is the value
  }, [text])
  return settled.value
}
