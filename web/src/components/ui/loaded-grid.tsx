import { lazy, memo, type ReactNode, Suspense, useRef, useState } from 'react'
import { cn } from '@/lib/cn'
import { type StableRows, useStableRows } from '@/lib/use-stable-rows'
import type { GridRange, Paging } from './grid-window'
import { type QueryState, Loaded } from './loaded'

// Loaded for long lists only.
const GridWindow = lazy(() => import('./grid-window'))

/** Grids up to this length aren't virtualized, so that the browser's search finds every entry. */
const unvirtualizedMax = 30
/** Entries of a longer grid that are shown until the code that virtualizes it has loaded. */
const initialMax = 20

export interface LoadedGridProps<T> {
  /** While a changed filter loads, this has the previous data. */
  list: Paging & QueryState<readonly T[]> & { isPlaceholderData: boolean }
  /** Accessible name. */
  label: string
  /** Title of the error if a page fails to load. */
  failed: string
  /** Column classes, such as `grid-cols-2 xl:grid-cols-4`. */
  columns: string
  /** Pixels between cards. */
  gap?: number
  /** Placeholder for a card that is loading. */
  skeleton: ReactNode
  /** Number of skeletons before the first page arrives. */
  skeletonCount?: number
  idOf: (entry: T) => string
  empty: ReactNode
  children: (entry: T) => ReactNode
}

const none: readonly never[] = []

/** A list of any length with its loading, error and empty states; `StableList` is for lists that are always short. */
export function LoadedGrid<T>({ skeletonCount = 8, gap = 20, ...props }: LoadedGridProps<T>) {
  const { list, failed, columns, skeleton, idOf, empty } = props
  const stable = useStableRows(list.data ?? (none as readonly T[]), idOf)
  return (
    <Loaded
      query={list}
      failed={failed}
      skeleton={
        <div className={cn('grid', columns)} style={{ gap }}>
          {Array.from({ length: skeletonCount }, (_, index) => (
            <div key={index}>{skeleton}</div>
          ))}
        </div>
      }
    >
      {() => (
        <div
          {...stable.on}
          aria-busy={list.isPlaceholderData}
          className={cn('transition-opacity', list.isPlaceholderData && 'opacity-60')}
        >
          {stable.rows.length > 0 ? <Rows {...props} gap={gap} {...stable} /> : empty}
        </div>
      )}
    </Loaded>
  )
}

/** Rows stay mounted while the code that virtualizes a long list loads, so that none loses the focus. */
function Rows<T>(props: LoadedGridProps<T> & StableRows<T> & { gap: number }) {
  const { list, label, failed, columns, gap, skeleton, idOf, rows, isGone, children } = props
  const grid = useRef<HTMLUListElement>(null)
  const [range, setRange] = useState<GridRange>()
  const long = list.hasNextPage || rows.length > unvirtualizedMax
  const window = long ? range : undefined
  const { from, to, perRow } = window ?? { from: 0, to: long ? initialMax : unvirtualizedMax, perRow: 1 }
  return (
    <>
      <ul
        ref={grid}
        aria-label={label}
        // Virtualization keeps the scroll position; the browser's scroll anchoring would interfere.
        className={cn('grid [overflow-anchor:none]', columns)}
        style={{ gap, paddingTop: window?.before, paddingBottom: window?.after }}
      >
        {rows.slice(from, to).map((entry, at) => (
          <li
            key={idOf(entry)}
            inert={isGone(entry)}
            aria-setsize={list.hasNextPage ? -1 : rows.length}
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
          <GridWindow
            list={list}
            length={rows.length}
            failed={failed}
            columns={columns}
            gap={gap}
            skeleton={skeleton}
            grid={grid}
            onChange={setRange}
          />
        </Suspense>
      )}
    </>
  )
}

/** Memoized because scrolling re-renders the grid. */
const Entry = memo(function Entry({ entry, show }: { entry: unknown; show: (entry: unknown) => ReactNode }) {
  return show(entry)
})
