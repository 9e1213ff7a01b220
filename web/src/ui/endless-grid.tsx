import { lazy, type ReactNode, Suspense } from 'react'
import { cn } from '@/lib/cn'

export interface EndlessGridProps<T> {
  /** What has been fetched so far, and the way to more of it. */
  list: {
    data: readonly T[]
    hasNextPage: boolean
    isFetching: boolean
    isFetchNextPageError: boolean
    error: Error | null
    fetchNextPage: () => Promise<unknown>
  }
  /** Said to who cannot see the grid. */
  label: string
  /** The title above a further page that cannot be had. */
  failed: string
  /** The grid's columns, such as `grid-cols-2 xl:grid-cols-4`. */
  columns: string
  /** A card's place while it is on its way. */
  skeleton: ReactNode
  idOf: (entry: T) => string
  children: (entry: T) => ReactNode
}

/** Pixels between cards. */
export const gridGap = 20
/** So few are all kept on the page, where the browser's own search finds them. */
const keptWhole = 30

// Most people own no more than a page of anything.
const VirtualGrid = lazy(() => import('./virtual-grid')) as <T>(props: EndlessGridProps<T>) => ReactNode

/** A grid of any length: a short one as it is, of a long one only what can be seen. */
export function EndlessGrid<T>(props: EndlessGridProps<T>) {
  const { list, label, columns, idOf, children } = props
  const whole = (
    <ul aria-label={label} className={cn('grid', columns)} style={{ gap: gridGap }}>
      {list.data.slice(0, keptWhole).map((entry) => (
        <li key={idOf(entry)}>{children(entry)}</li>
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
