import { useWindowVirtualizer } from '@tanstack/react-virtual'
import { memo, type ReactNode, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { cn } from '@/lib/cn'
import { ErrorState } from './error-state'
import { type EndlessGridProps, gridGap } from './grid-props'

const rowsAhead = 1
/** The height of the last row drawn, by columns: on the way back the page is as long as it was. */
const rowHeights = new Map<string, number>()

/** Keeps only the rows about the window on the page, and asks for the next page as one nears the end. */
export default function VirtualGrid<T>({
  list,
  label,
  failed,
  columns,
  gap = gridGap,
  skeleton,
  idOf,
  isGone,
  children,
}: EndlessGridProps<T>) {
  const grid = useRef<HTMLUListElement>(null)
  const { perRow, top } = usePlaceOf(grid)
  const rows = Math.ceil(list.data.length / perRow)
  const virtualizer = useWindowVirtualizer({
    count: rows,
    estimateSize: () => rowHeights.get(columns) ?? 400,
    gap,
    overscan: rowsAhead,
    scrollMargin: top,
  })
  useEffect(() => virtualizer.measure(), [virtualizer, perRow])
  const shown = virtualizer.getVirtualItems()
  const [first, last] = [shown[0], shown.at(-1)]
  useEffect(() => {
    if (first) rowHeights.set(columns, first.size)
  })

  const atTheEnd = !last || last.index >= rows - 1
  const { hasNextPage, isFetching, isFetchNextPageError, fetchNextPage } = list
  useEffect(() => {
    if (atTheEnd && hasNextPage && !isFetching && !isFetchNextPageError) void fetchNextPage()
  }, [atTheEnd, hasNextPage, isFetching, isFetchNextPageError, fetchNextPage])

  const from = (first?.index ?? 0) * perRow
  const to = ((last?.index ?? -1) + 1) * perRow
  return (
    <>
      <ul
        ref={grid}
        aria-label={label}
        // The rows keep their places themselves; the browser's own correction would come on top.
        className={cn('grid [overflow-anchor:none]', columns)}
        style={{
          gap,
          paddingTop: first ? first.start - top : 0,
          paddingBottom: last ? virtualizer.getTotalSize() - (last.end - top) : 0,
        }}
      >
        {list.data.slice(from, to).map((entry, at) => (
          <li
            key={idOf(entry)}
            inert={isGone(entry)}
            aria-setsize={hasNextPage ? -1 : list.data.length}
            aria-posinset={from + at + 1}
            data-index={at % perRow === 0 ? (from + at) / perRow : undefined}
            ref={at % perRow === 0 ? virtualizer.measureElement : undefined}
          >
            <Shown entry={entry} show={children as (entry: unknown) => ReactNode} />
          </li>
        ))}
      </ul>
      {atTheEnd && hasNextPage && !isFetchNextPageError && (
        <div aria-hidden className={cn('grid', columns)} style={{ gap, marginTop: gap }}>
          {Array.from({ length: perRow }, (_, index) => (
            <div key={index}>{skeleton}</div>
          ))}
        </div>
      )}
      {isFetchNextPageError && list.error && (
        <ErrorState title={failed} error={list.error} retry={() => void fetchNextPage()} />
      )}
    </>
  )
}

/** Scrolling changes which entries are shown, not how. */
const Shown = memo(function Shown({ entry, show }: { entry: unknown; show: (entry: unknown) => ReactNode }) {
  return show(entry)
})

/** How many cards stand in a row, as the style sheet has it, and how far down the page the grid begins. */
function usePlaceOf(grid: { current: HTMLElement | null }) {
  const [place, setPlace] = useState({ perRow: 1, top: 0 })
  useLayoutEffect(() => {
    const look = () => {
      if (!grid.current) return
      const perRow = getComputedStyle(grid.current).gridTemplateColumns.split(' ').length
      const top = grid.current.getBoundingClientRect().top + window.scrollY
      setPlace((known) => (known.perRow === perRow && known.top === top ? known : { perRow, top }))
    }
    look()
    // Whatever moves the grid, above it or about it, changes the height of the page.
    const observer = new ResizeObserver(look)
    observer.observe(document.body)
    return () => observer.disconnect()
  }, [grid])
  return place
}
