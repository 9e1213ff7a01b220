import type { ReactNode } from 'react'
import { cn } from '@/lib/cn'
import { useStableRows } from '@/lib/use-stable-rows'
import { EndlessGrid } from './endless-grid'
import { type EndlessGridProps, gridGap } from './grid-props'
import { type QueryState, Loaded } from './loaded'

export interface LoadedGridProps<T> extends Omit<EndlessGridProps<T>, 'list' | 'isGone'> {
  /** While a changed filter loads, this has the previous data. */
  list: Omit<EndlessGridProps<T>['list'], 'data'> &
    QueryState<readonly T[]> & {
      isPlaceholderData: boolean
    }
  /** Number of skeletons before the first page arrives. */
  places?: number
  empty: ReactNode
}

const none: readonly never[] = []

/** A list of any length with its loading, error and empty states. */
export function LoadedGrid<T>({ list, places = 8, empty, children, ...grid }: LoadedGridProps<T>) {
  const { columns, gap = gridGap, skeleton, failed } = grid
  const still = useStableRows(list.data ?? (none as readonly T[]), grid.idOf)
  return (
    <Loaded
      query={list}
      failed={failed}
      skeleton={
        <div className={cn('grid', columns)} style={{ gap }}>
          {Array.from({ length: places }, (_, index) => (
            <div key={index}>{skeleton}</div>
          ))}
        </div>
      }
    >
      {() => (
        <div
          {...still.on}
          aria-busy={list.isPlaceholderData}
          className={cn('transition-opacity', list.isPlaceholderData && 'opacity-60')}
        >
          {still.rows.length > 0 ? (
            <EndlessGrid list={{ ...list, data: still.rows }} isGone={still.isGone} {...grid}>
              {children}
            </EndlessGrid>
          ) : (
            empty
          )}
        </div>
      )}
    </Loaded>
  )
}
