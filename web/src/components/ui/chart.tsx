import { lazy, Suspense, useEffect, useRef, useState } from 'react'
import { cn } from '@/lib/cn'
import type { ChartProps } from './chart-props'

// Most visits never come near a chart. Where it cannot be had, the table beside it says the same.
const Drawing = lazy(() => import('./chart-drawing').catch(() => ({ default: () => null })))

/** Values over time. It stands beside a table, which says the same to everybody. */
export function Chart({ className, ...chart }: ChartProps & { className?: string }) {
  const place = useRef<HTMLDivElement>(null)
  const [seen, setSeen] = useState(false)
  useEffect(() => {
    if (!place.current) return
    const observer = new IntersectionObserver((entries) => {
      if (entries.some(({ isIntersecting }) => isIntersecting)) setSeen(true)
    })
    observer.observe(place.current)
    return () => observer.disconnect()
  }, [])
  return (
    <div ref={place} className={cn('h-64', className)}>
      <Suspense>{seen && <Drawing {...chart} />}</Suspense>
    </div>
  )
}
