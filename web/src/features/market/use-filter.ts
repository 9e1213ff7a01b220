import { useNavigate, useSearch } from '@tanstack/react-router'
import type { ItemFilter } from '@/contract/types'
import { type FilterChange, filterOf } from './filter'

/** Fields that are typed letter by letter. */
const typed = ['search', 'minPrice', 'maxPrice'] as const

interface FilterState {
  filter: ItemFilter
  change: (change: FilterChange) => void
  clear: () => void
}

/** The filter of a page, kept in its address, so that a reload and a shared link find it again. */
export function useFilter(): FilterState {
  const navigate = useNavigate()
  const filter = useSearch({ strict: false, select: filterOf })
  return {
    filter,
    change: (change) =>
      void navigate({
        to: '.',
        search: (current: Record<string, unknown>) => filterOf({ ...current, ...change }),
        // The way back leads over every choice, but not over every letter.
        replace: typed.some((field) => filter[field] !== undefined && change[field] !== undefined),
        resetScroll: false,
      }),
    clear: () => void navigate({ to: '.', search: {}, resetScroll: false }),
  }
}
