import { lazy, Suspense, useEffect, useRef, useState } from 'react'
import { cn } from '@/lib/cn'
import type { ChartProps } from './chart-props'

// Loaded when a chart scrolls into view. If that fails, the table next to it has the same data.
const ChartDrawing = lazy(() => import('./chart-drawing').catch(() => ({ default: () => null })))

/** Values over time. Always next to a table or list of the same data. */
export function Chart({ className, ...chart }: ChartProps & { className?: string }) {
  const container = useRef<HTMLDivElement>(null)
  const [visible, setVisible] = useState(false)
  useEffect(() => {
    if (!container.current) return
    const observer = new IntersectionObserver((entries) => {
      if (entries.some(({ isIntersecting }) => isIntersecting)) setVisible(true)
    })
    observer.observe(container.current)
    return () => observer.disconnect()
  }, [])
  return (
    <div ref={container} className={cn('base:h-64 min-w-0', className)}>
      <Suspense>{visible && <ChartDrawing {...chart} />}</Suspense>
    </div>
  )
}
