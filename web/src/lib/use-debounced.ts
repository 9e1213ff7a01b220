import { useEffect, useState } from 'react'

const pauseMs = 300

/** The value, updated after a pause in its changes. Values are compared as JSON. */
export function useDebounced<T>(value: T): T {
  const text = JSON.stringify(value)
  const [debounced, setDebounced] = useState({ text, value })
  useEffect(() => {
    const timer = setTimeout(() => setDebounced({ text, value }), pauseMs)
    return () => clearTimeout(timer)
    // eslint-disable-next-line react-hooks/exhaustive-deps -- the text is the value
  }, [text])
  return debounced.value
}
