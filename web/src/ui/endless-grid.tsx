import { lazy, type ReactNode, Suspense } from 'react'
import { cn } from '@/lib/cn'
import { type EndlessGridProps, gridGap } from './grid-props'

/** So few are all kept on the page, where the browser's own search finds them. */
const keptWhole = 30

// Most people own no more than a page of anything.
const VirtualGrid = lazy(() => import('./virtual-grid')) as <T>(props: EndlessGridProps<T>) => ReactNode

/** A grid of any length: a short one as it is, of a long one only what can be seen. */
export function EndlessGrid<T>(props: EndlessGridProps<T>) {
  const { list, label, columns, gap = gridGap, idOf, isGone, children } = props
  const whole = (
    <ul aria-label={label} className={cn('grid', columns)} style={{ gap }}>
      {list.data.slice(0, keptWhole).map((entry) => (
        <li key={idOf(entry)} inert={isGone(entry)}>
          {children(entry)}
        </li>
      ))}
    </ul>
  )
  if (!list.hasNextPage && list.data.length <= keptWhole) return whole
  return (
    <Suspense fallback={whole}>
      <VirtualGrid {...props} />
    </Suspense>
  )
}
