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
import { counted } from './counted'
import { type FilterChange, grades, priceOf } from './filter'
import { useTyped } from './use-typed'

interface AdvancedFiltersProps {
  filter: ItemFilter
  facets: Facets | undefined
  onChange: (change: FilterChange) => void
}

export function AdvancedFilters({ filter, facets, onChange }: AdvancedFiltersProps) {
  const t = marketTexts.useT().market.filter
  const { catalogue } = useT()
  return (
    <div className="mt-3 grid grid-cols-2 gap-3 border-t border-line pt-3 lg:grid-cols-5">
      <Choice
        label={t.grader}
        value={filter.certification}
        all={graders}
        counts={facets?.certification}
        onChange={(certification) => onChange({ certification })}
      />
      <Choice
        label={t.rarity}
        value={filter.rarity}
        all={rarities}
        nameOf={(rarity) => catalogue.rarities[asRarity(rarity)]}
        counts={facets?.rarity}
        onChange={(rarity) => onChange({ rarity })}
      />
      <Choice
        label={t.minGrade}
        value={filter.grade}
        all={grades}
        counts={facets?.grade}
        onChange={(grade) => onChange({ grade })}
      />
      <Price label={t.minPrice} value={filter.minPrice} onChange={(minPrice) => onChange({ minPrice })} />
      <Price label={t.maxPrice} value={filter.maxPrice} onChange={(maxPrice) => onChange({ maxPrice })} />
    </div>
  )
}

function Labelled({ label, children }: { label: string; children: (id: string) => ReactNode }) {
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

interface ChoiceProps<T> {
  label: string
  value: T | undefined
  all: readonly T[]
  /** As people read it; by itself as it is written. */
  nameOf?: (value: T) => string
  counts: Facets['series'] | undefined
  onChange: (value: T | undefined) => void
}

function Choice<T extends string | number>({ label, value, all, nameOf = String, counts, onChange }: ChoiceProps<T>) {
  const t = marketTexts.useT().market.filter
  return (
    <Labelled label={label}>
      {(id) => (
        <Select
          id={id}
          className="w-full"
          value={value ?? ''}
          onChange={({ currentTarget }) => onChange(all.find((one) => String(one) === currentTarget.value))}
        >
          <option value="">{t.any}</option>
          {all.map((one) => (
            <option key={one} value={one}>
              {counted(nameOf(one), counts, String(one))}
            </option>
          ))}
        </Select>
      )}
    </Labelled>
  )
}

interface PriceProps {
  label: string
  value: number | undefined
  onChange: (value: number | undefined) => void
}

function Price({ label, value, onChange }: PriceProps) {
  const t = marketTexts.useT().market.filter
  const problemId = useId()
  const typed = useTyped(
    String(value ?? ''),
    (text) => (text.trim() ? priceOf(text)?.toString() : ''),
    (text) => onChange(priceOf(text)),
  )
  const text = useDebounced(typed.value)
  const unread = text.trim() !== '' && priceOf(text) === undefined
  const problem = useNumberProblem(readNumber(text, numberKinds.money), numberKinds.money)
  return (
    <Labelled label={label}>
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
              aria-invalid={unread}
              aria-describedby={problemId}
              {...typed}
            />
          </div>
          <p id={problemId} aria-live="polite" className="text-[0.8125rem] text-destructive-text not-empty:mt-1.5">
            {unread && (problem ?? t.priceRange(dollars(terms.highestFilter * 100)))}
          </p>
          <NumberChoices text={typed.value} kind={numberKinds.money} onChoose={(chosen) => onChange(priceOf(chosen))} />
        </>
      )}
    </Labelled>
  )
}
