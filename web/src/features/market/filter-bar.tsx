import { Search, SlidersHorizontal } from 'lucide-react'
import { useId, useState } from 'react'
import { useLanguage, useT } from '@/i18n'
import { marketTexts } from './texts'
import { categories } from '@/components/categories'
import { isSort, sorts } from './texts/sorts'
import { cn } from '@/lib/cn'
import { terms } from '@/lib/config'
import type { Facets } from '@/contract/types'
import { Button } from '@/components/ui/button'
import { Input } from '@/components/ui/input'
import { Select } from '@/components/ui/select'
import { AdvancedFilters } from './advanced-filters'
import { FilterChips } from './filter-chips'
import { optionLabel } from './option-label'
import type { FilterChange } from './filter'
import { useFilter } from './use-filter'
import { useDebouncedInput } from './use-debounced-input'

interface FilterBarProps {
  /** The number of matches of each option; undefined while loading, or if the page doesn't count them. */
  facets?: Facets | undefined
  /** False if the page filters by rarity elsewhere. */
  withRarity?: boolean
}

/** Filters and sorts the page's list. The URL holds the choice. */
export function FilterBar({ facets, withRarity = true }: FilterBarProps) {
  const t = marketTexts.useT().market.filter
  const { catalogue } = useT()
  const language = useLanguage()
  const { filter, change, clear } = useFilter()
  const { certification, rarity, grade, minPrice, maxPrice } = filter
  const advancedInUse = [certification, rarity, grade, minPrice, maxPrice].some((value) => value !== undefined)
  const [opened, setOpened] = useState(advancedInUse)
  const id = useId()
  return (
    <section aria-label={t.label} className="panel mb-6 rounded-2xl p-3">
      <div className="flex flex-wrap gap-3">
        <SearchBox value={filter.search ?? ''} onChange={change} />
        <Select
          aria-label={t.category}
          className="w-44"
          value={filter.series ?? ''}
          onChange={({ currentTarget: { value } }) => change({ series: value || undefined })}
        >
          <option value="">{t.allCategories}</option>
          {categories.map((category) => (
            <option key={category} value={category}>
              {optionLabel(catalogue.categories[category], facets?.series, category)}
            </option>
          ))}
        </Select>
        <Select
          aria-label={t.sort}
          className="w-48 grow lg:grow-0"
          value={filter.sortBy ?? ''}
          onChange={({ currentTarget: { value } }) => change({ sortBy: isSort(value) ? value : undefined })}
        >
          <option value="">{t.defaultSort}</option>
          {Object.entries(sorts).map(([sort, name]) => (
            <option key={sort} value={sort}>
              {name[language]}
            </option>
          ))}
        </Select>
        <Button
          variant="secondary"
          aria-expanded={opened}
          aria-controls={id}
          className={cn('h-11', opened && 'border-line-strong bg-muted')}
          onClick={() => setOpened(!opened)}
        >
          <SlidersHorizontal aria-hidden />
          <span>{t.advanced}</span>
        </Button>
      </div>
      <div id={id} hidden={!opened}>
        <AdvancedFilters filter={filter} facets={facets} withRarity={withRarity} onChange={change} />
      </div>
      <FilterChips filter={filter} onChange={change} onClear={clear} />
    </section>
  )
}

interface SearchBoxProps {
  value: string
  onChange: (change: FilterChange) => void
}

function SearchBox({ value, onChange }: SearchBoxProps) {
  const t = marketTexts.useT().market.filter
  const input = useDebouncedInput(
    value,
    (text) => text.trim(),
    (text) => onChange({ search: text || undefined }),
  )
  return (
    <div className="relative min-w-52 flex-1">
      <Search
        aria-hidden
        className="pointer-events-none absolute top-1/2 left-3.5 size-4 -translate-y-1/2 text-muted-foreground"
      />
      <Input
        type="search"
        aria-label={t.search}
        placeholder={t.searchPlaceholder}
        maxLength={terms.longestSearch}
        autoComplete="off"
        className="pl-10"
        {...input}
      />
    </div>
  )
}
