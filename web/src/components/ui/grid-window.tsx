import { useWindowVirtualizer } from '@tanstack/react-virtual'
import { type ReactNode, useEffect, useLayoutEffect, useState } from 'react'
import { cn } from '@/lib/cn'
import { ErrorState } from './error-state'

const rowsAhead = 1
/** Last row height by column classes, so that the page has its old height after navigating back. */
const rowHeights = new Map<string, number>()

/** How the next page of a list is fetched. */
export interface Paging {
  hasNextPage: boolean
  isFetching: boolean
  isFetchNextPageError: boolean
  error: Error | null
  fetchNextPage: () => Promise<unknown>
}

/** The rendered rows of a virtualized grid. */
export interface GridRange {
  /** Index of the first entry; `to` is exclusive. */
  from: number
  to: number
  perRow: number
  /** Padding in pixels for the rows before and after. */
  before: number
  after: number
  /** Ref of each row's first entry, whose data-index is the row. */
  measure: (entry: Element | null) => void
}

interface GridWindowProps {
  list: Paging
  /** Number of entries fetched so far. */
  length: number
  failed: string
  columns: string
  gap: number
  skeleton: ReactNode
  grid: { current: HTMLElement | null }
  onChange: (range: GridRange) => void
}

/** Virtualizes a long grid, and fetches the next page near its end. */
export default function GridWindow({ list, length, failed, columns, gap, skeleton, grid, onChange }: GridWindowProps) {
  const { perRow, top } = useGridPosition(grid)
  const rows = perRow === 0 ? 0 : Math.ceil(length / perRow)
  const virtualizer = useWindowVirtualizer({
    count: rows,
    // The first row is mounted already. A wrong estimate would scroll the page when the row is measured.
    estimateSize: () => rowHeights.get(columns) ?? (grid.current?.firstElementChild?.clientHeight || 400),
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
