import { type RefObject, useEffect, useRef } from 'react'

/** Whether the component is mounted, for callbacks that may run after it is gone. */
export function useMountedRef(): RefObject<boolean> {
  const mounted = useRef(false)
  useEffect(() => {
    mounted.current = true
    return () => {
      mounted.current = false
    }
  }, [])
  return mounted
}
