import { Link, useNavigate } from '@tanstack/react-router'
import { Download, X } from 'lucide-react'
import { type ReactNode, useId } from 'react'
import { useT } from '@/i18n'
import { categories } from '@/components/categories'
import { Button } from '@/components/ui/button'
import { Select } from '@/components/ui/select'
import { type ActivitySearch, tradeKinds } from './activity-search'
import { activityTexts } from './texts'

interface ActivityFilterProps {
  search: ActivitySearch
  /** The URL of the filtered trades as a CSV file. */
  csvUrl: string
  itemName: string | undefined
}

/** Filters the trades. The URL holds the filter. */
export function ActivityFilter({ search, csvUrl, itemName }: ActivityFilterProps) {
  const t = activityTexts.useT()
  const { catalogue } = useT()
  const navigate = useNavigate()
  const change = (changes: ActivitySearch) =>
    void navigate({ to: '/activity', search: { ...search, ...changes }, resetScroll: false })
  return (
    <section aria-label={t.filter} className="flex flex-wrap items-end gap-4">
      <SelectField
        label={t.scope}
        value={search.mine ? 'mine' : ''}
        onChange={(value) => change({ mine: value ? true : undefined })}
      >
        <option value="">{t.everyone}</option>
        <option value="mine">{t.mine}</option>
      </SelectField>
      <SelectField
        label={t.series}
        value={search.series ?? ''}
        onChange={(value) => change({ series: categories.find((category) => category === value) })}
      >
        <option value="">{t.allSeries}</option>
        {categories.map((category) => (
          <option key={category} value={category}>
            {catalogue.categories[category]}
          </option>
        ))}
      </SelectField>
      <SelectField
        label={t.kind}
        value={search.kind ?? ''}
        onChange={(value) => change({ kind: tradeKinds.find((kind) => kind === value) })}
      >
        <option value="">{t.allKinds}</option>
        {tradeKinds.map((kind) => (
          <option key={kind} value={kind}>
            {t.kinds[kind]}
          </option>
        ))}
      </SelectField>
      {search.item !== undefined && (
        <Button asChild variant="secondary" className="h-11 max-w-72">
          <Link to="/activity" search={{ ...search, item: undefined }} title={t.allItems}>
            <span className="truncate">{itemName === undefined ? t.oneItem : t.ofItem(itemName)}</span>
            <X aria-label={t.allItems} />
          </Link>
        </Button>
      )}
      <Button asChild variant="secondary" className="ml-auto h-11">
        <a href={csvUrl} download>
          <Download aria-hidden />
          <span>{t.csv}</span>
        </a>
      </Button>
    </section>
  )
}

interface SelectFieldProps {
  label: string
  value: string
  onChange: (value: string) => void
  children: ReactNode
}

function SelectField({ label, value, onChange, children }: SelectFieldProps) {
  const id = useId()
  return (
    <div className="grid gap-1.5">
      <label htmlFor={id} className="text-xs text-muted-foreground">
        {label}
      </label>
      <Select id={id} value={value} onChange={({ target }) => onChange(target.value)} className="w-44">
        {children}
      </Select>
    </div>
  )
}
