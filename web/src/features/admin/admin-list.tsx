import { Search } from 'lucide-react'
import { type ComponentProps, type FormEvent, type ReactNode, useId, useState } from 'react'
import { cn } from '@/lib/cn'
import { Button } from '@/components/ui/button'
import { EmptyState } from '@/components/ui/empty-state'
import { Input } from '@/components/ui/input'
import { LoadedGrid, type LoadedGridProps } from '@/components/ui/loaded-grid'
import { Select } from '@/components/ui/select'
import { Skeleton } from '@/components/ui/skeleton'
import { CsvLink } from './csv-link'
import { PeriodFilter } from './period-filter'
import { adminTexts } from './texts'

interface SearchProps {
  /** The field's label and placeholder. */
  label: string
  /** The search in effect. */
  value: string | undefined
  maxLength?: number
  /** Called on submit, with the trimmed text; undefined if the field is empty. */
  onSearch: (search: string | undefined) => void
}

interface FilterProps<V extends string> {
  label: string
  value: V
  options: readonly (readonly [value: V, label: string])[]
  onChange: (value: V) => void
}

interface AdminListProps<T, V extends string, K extends string> extends Pick<
  LoadedGridProps<T>,
  'list' | 'label' | 'failed' | 'idOf' | 'children'
> {
  /** A sentence above the list. */
  text?: string
  search?: SearchProps
  filter?: FilterProps<V>
  kind?: FilterProps<K>
  period?: ComponentProps<typeof PeriodFilter>
  /** Set while only one record is shown. */
  onShowAll?: (() => void) | undefined
  csv?: { url: string; label: string }
  /** Replaces search, filters and CSV link. */
  toolbar?: ReactNode
  /** Shown above the rows, such as actions for the selected ones. */
  selectionBar?: ReactNode
  empty: { icon: ReactNode; title: string; text: string }
  /** Grid columns; without them one row per entry. */
  columns?: string
  /** Height of an entry while the list loads, such as `h-36`. */
  entryHeight: string
  /** Number of skeletons while the list loads. */
  skeletonCount: number
}

/** A paged list of the admin pages with its search, filters and CSV link. */
export function AdminList<T, V extends string = string, K extends string = string>({
  text,
  search,
  filter,
  kind,
  period,
  onShowAll,
  csv,
  toolbar,
  selectionBar,
  empty,
  columns,
  entryHeight,
  ...grid
}: AdminListProps<T, V, K>) {
  const t = adminTexts.useT().list
  return (
    <div className="space-y-4">
      {text && <p className="text-sm text-muted-foreground">{text}</p>}
      {toolbar ?? (
        <div className="flex flex-wrap items-center gap-3">
          {search && <SearchForm {...search} />}
          {filter && <FilterSelect {...filter} />}
          {kind && <FilterSelect {...kind} />}
          {period && <PeriodFilter {...period} />}
          {csv && (
            <span className="ml-auto">
              <CsvLink url={csv.url} label={csv.label} />
            </span>
          )}
        </div>
      )}
      {onShowAll && (
        <p className="flex flex-wrap items-center gap-3 text-sm text-muted-foreground">
          <span>{t.onlyOne}</span>
          <Button size="sm" variant="secondary" onClick={onShowAll}>
            {t.showAll}
          </Button>
        </p>
      )}
      {selectionBar}
      <LoadedGrid
        columns={columns ?? 'grid-cols-1'}
        {...(!columns && { gap: 12 })}
        skeleton={<Skeleton className={cn('rounded-2xl', entryHeight)} />}
        empty={<EmptyState {...empty} level={3} className={cn(!columns && 'panel rounded-2xl py-10')} />}
        {...grid}
      />
    </div>
  )
}

function SearchForm({ label, value, maxLength, onSearch }: SearchProps) {
  const t = adminTexts.useT().list
  const [text, setText] = useState(value ?? '')
  const onSubmit = (event: FormEvent) => {
    event.preventDefault()
    onSearch(text.trim() || undefined)
  }
  return (
    <form role="search" onSubmit={onSubmit} className="flex min-w-0 flex-1 basis-96 items-center gap-3 lg:max-w-lg">
      <Input
        type="search"
        aria-label={label}
        placeholder={label}
        value={text}
        {...(maxLength !== undefined && { maxLength })}
        onChange={({ target }) => setText(target.value)}
        autoComplete="off"
        className="min-w-0 flex-1"
      />
      <Button type="submit" variant="secondary" className="h-11">
        <Search aria-hidden />
        <span>{t.search}</span>
      </Button>
    </form>
  )
}

function FilterSelect<V extends string>({ label, value, options, onChange }: FilterProps<V>) {
  const id = useId()
  return (
    <span className="flex items-center gap-3">
      <label htmlFor={id} className="text-sm text-muted-foreground">
        {label}
      </label>
      <Select
        id={id}
        value={value}
        onChange={({ target }) => {
          const option = options.find(([optionValue]) => optionValue === target.value)
          if (option) onChange(option[0])
        }}
        className="w-44"
      >
        {options.map(([optionValue, optionLabel]) => (
          <option key={optionValue} value={optionValue}>
            {optionLabel}
          </option>
        ))}
      </Select>
    </span>
  )
}
