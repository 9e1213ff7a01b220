import { type ReactNode, useId } from 'react'
import { graders } from '@/components/certificate'
import { marketTexts } from './texts'
import { useT } from '@/i18n'
import { numberKinds, readNumber } from '@/lib/parse-number'
import { terms } from '@/lib/config'
import type { Facets, ItemFilter } from '@/contract/types'
import { dollars } from '@/lib/format'
import { asRarity, rarities } from '@/lib/rarity'
import { useDebounced } from '@/lib/use-debounced'
import { NumberChoices, NumberInput, useNumberProblem } from '@/components/ui/form/number-input'
import { Select } from '@/components/ui/select'
import { optionLabel } from './option-label'
import { wholePart } from '@/lib/parse-price'
import { type FilterChange, grades } from './filter'
import { useDebouncedInput } from './use-debounced-input'

interface AdvancedFiltersProps {
  filter: ItemFilter
  facets: Facets | undefined
  withRarity: boolean
  onChange: (change: FilterChange) => void
}

export function AdvancedFilters({ filter, facets, withRarity, onChange }: AdvancedFiltersProps) {
  const t = marketTexts.useT().market.filter
  const { catalogue } = useT()
  return (
    <div className="mt-3 grid grid-cols-2 gap-3 border-t border-line pt-3 lg:grid-flow-col lg:auto-cols-fr lg:grid-cols-none">
      <SelectFilter
        label={t.grader}
        value={filter.certification}
        options={graders}
        counts={facets?.certification}
        onChange={(certification) => onChange({ certification })}
      />
      {withRarity && (
        <SelectFilter
          label={t.rarity}
          value={filter.rarity}
          options={rarities}
          nameOf={(rarity) => catalogue.rarities[asRarity(rarity)]}
          counts={facets?.rarity}
          onChange={(rarity) => onChange({ rarity })}
        />
      )}
      <SelectFilter
        label={t.minGrade}
        value={filter.grade}
        options={grades}
        counts={facets?.grade}
        onChange={(grade) => onChange({ grade })}
      />
      <PriceFilter label={t.minPrice} value={filter.minPrice} onChange={(minPrice) => onChange({ minPrice })} />
      <PriceFilter label={t.maxPrice} value={filter.maxPrice} onChange={(maxPrice) => onChange({ maxPrice })} />
    </div>
  )
}

function LabeledField({ label, children }: { label: string; children: (id: string) => ReactNode }) {
  const id = useId()
  return (
    <div>
      <label htmlFor={id} className="mb-1.5 block text-sm text-muted-foreground">
        {label}
      </label>
      {children(id)}
    </div>
  )
}

interface SelectFilterProps<T> {
  label: string
  value: T | undefined
  options: readonly T[]
  /** By default the value itself. */
  nameOf?: (value: T) => string
  counts: Facets['series'] | undefined
  onChange: (value: T | undefined) => void
}

function SelectFilter<T extends string | number>({
  label,
  value,
  options,
  nameOf = String,
  counts,
  onChange,
}: SelectFilterProps<T>) {
  const t = marketTexts.useT().market.filter
  return (
    <LabeledField label={label}>
      {(id) => (
        <Select
          id={id}
          className="w-full"
          value={value ?? ''}
          onChange={({ currentTarget }) => onChange(options.find((option) => String(option) === currentTarget.value))}
        >
          <option value="">{t.any}</option>
          {options.map((option) => (
            <option key={option} value={option}>
              {optionLabel(nameOf(option), counts, String(option))}
            </option>
          ))}
        </Select>
      )}
    </LabeledField>
  )
}

/** Reads typed whole dollars; undefined if it isn't a valid price. */
function parsePrice(typed: string): number | undefined {
  const price = wholePart(typed)
  return price !== undefined && price <= terms.highestFilter ? price : undefined
}

interface PriceFilterProps {
  label: string
  value: number | undefined
  onChange: (value: number | undefined) => void
}

function PriceFilter({ label, value, onChange }: PriceFilterProps) {
  const t = marketTexts.useT().market.filter
  const problemId = useId()
  const input = useDebouncedInput(
    String(value ?? ''),
    (text) => (text.trim() ? parsePrice(text)?.toString() : ''),
    (text) => onChange(parsePrice(text)),
  )
  const text = useDebounced(input.value)
  const invalid = text.trim() !== '' && parsePrice(text) === undefined
  const problem = useNumberProblem(readNumber(text, numberKinds.money), numberKinds.money)
  return (
    <LabeledField label={label}>
      {(id) => (
        <>
          <div className="relative">
            <span aria-hidden className="absolute top-1/2 left-3.5 -translate-y-1/2 text-muted-foreground">
              $
            </span>
            <NumberInput
              id={id}
              kind={numberKinds.money}
              className="pl-7"
              aria-invalid={invalid}
              aria-describedby={problemId}
              {...input}
            />
          </div>
          <p id={problemId} aria-live="polite" className="text-[0.8125rem] text-destructive-text not-empty:mt-1.5">
            {invalid && (problem ?? t.priceRange(dollars(terms.highestFilter * 100)))}
          </p>
          <NumberChoices
            text={input.value}
            kind={numberKinds.money}
            onChoose={(chosen) => onChange(parsePrice(chosen))}
          />
        </>
      )}
    </LabeledField>
  )
}
