import { useWindowVirtualizer } from '@tanstack/react-virtual'
import { useEffect, useLayoutEffect, useState } from 'react'
import { cn } from '@/lib/cn'
import { ErrorState } from './error-state'
import { type EndlessGridProps, gridGap, type GridRange } from './grid-props'

const rowsAhead = 1
/** Last row height by column classes, so that the page has its old height after navigating back. */
const rowHeights = new Map<string, number>()

interface GridWindowProps<T> extends EndlessGridProps<T> {
  grid: { current: HTMLElement | null }
  onChange: (range: GridRange) => void
}

/** Virtualizes a long grid, and fetches the next page near its end. */
export default function GridWindow<T>({
  list,
  failed,
  columns,
  gap = gridGap,
  skeleton,
  grid,
  onChange,
}: GridWindowProps<T>) {
  const { perRow, top } = useGridPosition(grid)
  const rows = perRow === 0 ? 0 : Math.ceil(list.data.length / perRow)
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

  // Before the first measurement the grid keeps its rows.
  const measured = first !== undefined
  const from = (first?.index ?? 0) * perRow
  const to = ((last?.index ?? -1) + 1) * perRow
  const before = first ? first.start - top : 0
  const after = last ? virtualizer.getTotalSize() - (last.end - top) : 0
  const measure = virtualizer.measureElement
  useLayoutEffect(() => {
    if (measured) onChange({ from, to, perRow, before, after, measure })
  }, [measured, onChange, from, to, perRow, before, after, measure])

  const atEnd = !last || last.index >= rows - 1
  const { hasNextPage, isFetching, isFetchNextPageError, fetchNextPage } = list
  useEffect(() => {
    if (atEnd && hasNextPage && !isFetching && !isFetchNextPageError) void fetchNextPage()
  }, [atEnd, hasNextPage, isFetching, isFetchNextPageError, fetchNextPage])
  return (
    <>
      {atEnd && hasNextPage && !isFetchNextPageError && (
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

/** Measures the cards per row and the grid's distance from the top of the page. */
function useGridPosition(grid: { current: HTMLElement | null }) {
  const [position, setPosition] = useState({ perRow: 0, top: 0 }) // before the first measurement
  useLayoutEffect(() => {
    const measure = () => {
      if (!grid.current) return
      const perRow = getComputedStyle(grid.current).gridTemplateColumns.split(' ').length
      const top = grid.current.getBoundingClientRect().top + window.scrollY
      setPosition((current) => (current.perRow === perRow && current.top === top ? current : { perRow, top }))
    }
    measure()
    // Anything that moves the grid also changes the height of the page.
    const observer = new ResizeObserver(measure)
    observer.observe(document.body)
    return () => observer.disconnect()
  }, [grid])
  return position
}
