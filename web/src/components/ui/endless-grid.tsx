import { lazy, memo, type ReactNode, Suspense, useRef, useState } from 'react'
import { cn } from '@/lib/cn'
import { type EndlessGridProps, gridGap, type GridRange } from './grid-props'

/** So few entries are all kept on the page, where the browser's own search finds them. */
const unvirtualizedMax = 30

// Most people own no more than a page of anything.
const GridWindow = lazy(() => import('./grid-window')) as <T>(
  props: EndlessGridProps<T> & { grid: { current: HTMLElement | null }; onChange: (range: GridRange) => void },
) => ReactNode

/**
 * A grid of any length: a short list whole, of a long list only the rows near the viewport. The
 * rows stay mounted when the code for long lists arrives, so that none loses the focus.
 */
export function EndlessGrid<T>(props: EndlessGridProps<T>) {
  const { list, label, columns, gap = gridGap, idOf, isGone, children } = props
  const grid = useRef<HTMLUListElement>(null)
  const [range, setRange] = useState<GridRange>()
  const long = list.hasNextPage || list.data.length > unvirtualizedMax
  const near = long ? range : undefined
  const { from, to, perRow } = near ?? { from: 0, to: unvirtualizedMax, perRow: 1 }
  return (
    <>
      <ul
        ref={grid}
        aria-label={label}
        // The rows keep their places themselves; the browser's own correction would come on top.
        className={cn('grid [overflow-anchor:none]', columns)}
        style={{ gap, paddingTop: near?.before, paddingBottom: near?.after }}
      >
        {list.data.slice(from, to).map((entry, at) => (
          <li
            key={idOf(entry)}
            inert={isGone(entry)}
            aria-setsize={list.hasNextPage ? -1 : list.data.length}
            aria-posinset={from + at + 1}
            data-index={at % perRow === 0 ? (from + at) / perRow : undefined}
            ref={at % perRow === 0 ? near?.measure : undefined}
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

/** Scrolling changes which entries are shown, not how. */
const Entry = memo(function Entry({ entry, show }: { entry: unknown; show: (entry: unknown) => ReactNode }) {
  return show(entry)
})
