import { useWindowVirtualizer } from '@tanstack/react-virtual'
import { useEffect, useLayoutEffect, useState } from 'react'
import { cn } from '@/lib/cn'
import { ErrorState } from './error-state'
import { type EndlessGridProps, gridGap, type GridRange } from './grid-props'

const rowsAhead = 1
/** The height of the last row drawn, by columns: on the way back the page is as long as it was. */
const rowHeights = new Map<string, number>()

interface GridWindowProps<T> extends EndlessGridProps<T> {
  grid: { current: HTMLElement | null }
  onChange: (range: GridRange) => void
}

/** Tells a long grid which rows are near the viewport, and fetches the next page as its end comes near. */
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

  // Before the first measurement nothing is known: the grid keeps the rows it has.
  const known = first !== undefined
  const from = (first?.index ?? 0) * perRow
  const to = ((last?.index ?? -1) + 1) * perRow
  const before = first ? first.start - top : 0
  const after = last ? virtualizer.getTotalSize() - (last.end - top) : 0
  const measure = virtualizer.measureElement
  useLayoutEffect(() => {
    if (known) onChange({ from, to, perRow, before, after, measure })
  }, [known, onChange, from, to, perRow, before, after, measure])

  const atTheEnd = !last || last.index >= rows - 1
  const { hasNextPage, isFetching, isFetchNextPageError, fetchNextPage } = list
  useEffect(() => {
    if (atTheEnd && hasNextPage && !isFetching && !isFetchNextPageError) void fetchNextPage()
  }, [atTheEnd, hasNextPage, isFetching, isFetchNextPageError, fetchNextPage])
  return (
    <>
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

/** How many cards are in a row, as the style sheet has it, and how far down the page the grid begins. */
function useGridPosition(grid: { current: HTMLElement | null }) {
  const [place, setPlace] = useState({ perRow: 0, top: 0 }) // before the first look
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
