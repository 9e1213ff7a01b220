import { useNavigate, useSearch } from '@tanstack/react-router'
import type { ItemFilter } from '@/contract/types'
import { type FilterChange, filterOf, filterSearch } from './filter'

/** Text fields, which change with each keystroke. */
const textFields = ['search', 'minPrice', 'maxPrice'] as const

/** The page's search parameters that aren't part of the filter, such as its tab. */
function othersOf(search: Readonly<Record<string, unknown>>) {
  const fields = filterSearch({})
  return Object.fromEntries(Object.entries(search).filter(([name]) => !(name in fields)))
}

interface FilterState {
  filter: ItemFilter
  change: (change: FilterChange) => void
  clear: () => void
}

/** The page's filter. The URL holds it, so that reloads and shared links keep it. */
export function useFilter(): FilterState {
  const navigate = useNavigate()
  const filter = useSearch({ strict: false, select: filterOf })
  return {
    filter,
    change: (change) =>
      void navigate({
        to: '.',
        search: (current: Record<string, unknown>) => ({
          ...othersOf(current),
          ...filterOf({ ...current, ...change }),
        }),
        // The back button undoes whole choices, not single keystrokes.
        replace: textFields.some((field) => filter[field] !== undefined && change[field] !== undefined),
        resetScroll: false,
      }),
    clear: () => void navigate({ to: '.', search: othersOf, resetScroll: false }),
  }
}
