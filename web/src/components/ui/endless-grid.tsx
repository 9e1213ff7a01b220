import { lazy, memo, type ReactNode, Suspense, useRef, useState } from 'react'
import { cn } from '@/lib/cn'
import { type EndlessGridProps, gridGap, type GridRange } from './grid-props'

/** Grids up to this length aren't virtualized, so that the browser's search finds every entry. */
const unvirtualizedMax = 30

// Loaded for long lists only.
const GridWindow = lazy(() => import('./grid-window')) as <T>(
  props: EndlessGridProps<T> & { grid: { current: HTMLElement | null }; onChange: (range: GridRange) => void },
) => ReactNode

/**
 * A grid of any length, virtualized if it is long. Rows stay mounted while the code for that loads, so that none loses
 * the focus.
 */
export function EndlessGrid<T>(props: EndlessGridProps<T>) {
  const { list, label, columns, gap = gridGap, idOf, isGone, children } = props
  const grid = useRef<HTMLUListElement>(null)
  const [range, setRange] = useState<GridRange>()
  const long = list.hasNextPage || list.data.length > unvirtualizedMax
  const window = long ? range : undefined
  const { from, to, perRow } = window ?? { from: 0, to: unvirtualizedMax, perRow: 1 }
  return (
    <>
      <ul
        ref={grid}
        aria-label={label}
        // Virtualization keeps the scroll position; the browser's scroll anchoring would interfere.
        className={cn('grid [overflow-anchor:none]', columns)}
        style={{ gap, paddingTop: window?.before, paddingBottom: window?.after }}
      >
        {list.data.slice(from, to).map((entry, at) => (
          <li
            key={idOf(entry)}
            inert={isGone(entry)}
            aria-setsize={list.hasNextPage ? -1 : list.data.length}
            aria-posinset={from + at + 1}
            data-index={at % perRow === 0 ? (from + at) / perRow : undefined}
            ref={at % perRow === 0 ? window?.measure : undefined}
          >
            <Entry entry={entry} show={children as (entry: unknown) => ReactNode} />
          </li>
        ))}
      </ul>
      {long && (
        <Suspense>
          <GridWindow {...props} grid={grid} onChange={setRange} />
        </Suspense>
      )}
    </>
  )
}

/** Memoized because scrolling re-renders the grid. */
const Entry = memo(function Entry({ entry, show }: { entry: unknown; show: (entry: unknown) => ReactNode }) {
  return show(entry)
})
