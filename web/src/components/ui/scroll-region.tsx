import { type ComponentProps, useLayoutEffect, useRef, useState } from 'react'
import { cn } from '@/lib/cn'

interface ScrollRegionProps extends ComponentProps<'div'> {
  'aria-label': string
}

/** A list that scrolls beyond its maximum height. Only then is it focusable, so that the keyboard can scroll it. */
export function ScrollRegion({ className, ...rest }: ScrollRegionProps) {
  const region = useRef<HTMLDivElement>(null)
  const [overflows, setOverflows] = useState(false)
  // Before paint, and so before a dialog chooses what to focus.
  useLayoutEffect(() => {
    const element = region.current
    if (!element) return undefined
    const measure = () => setOverflows(element.scrollHeight > element.clientHeight)
    measure()
    const observer = new ResizeObserver(measure)
    for (const part of [element, ...element.children]) observer.observe(part)
    return () => observer.disconnect()
  }, [])
  return (
    <div
      ref={region}
      role="group"
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- scroll containers must be focusable
      tabIndex={overflows ? 0 : undefined}
      className={cn('base:-mx-1 overflow-y-auto base:rounded-md base:px-1', className)}
      {...rest}
    />
  )
}
