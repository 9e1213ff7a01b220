import { number } from '@/lib/format'
import { X } from 'lucide-react'
import { type Dictionary, useT } from '@/i18n'
import { marketTexts } from './texts'
import type { ItemFilter } from '@/contract/types'
import { categories } from '@/components/categories'
import { Button } from '@/components/ui/button'
import type { FilterChange } from './filter'

interface FilterChipsProps {
  filter: ItemFilter
  onChange: (change: FilterChange) => void
  onClear: () => void
}

/** The active filters, each with a button to remove it. */
export function FilterChips({ filter, onChange, onClear }: FilterChipsProps) {
  const t = marketTexts.useT().market.filter
  const { catalogue } = useT()
  const chips = chipsOf(filter, t, catalogue)
  if (Object.keys(filter).length === 0) return null
  return (
    <div className="mt-3 flex flex-wrap items-center gap-2 border-t border-line pt-3">
      <ul aria-label={t.active} className="contents">
        {chips.map(({ field, text }) => (
          <li key={field} className="max-w-full">
            <button
              type="button"
              aria-label={t.remove(text)}
              onClick={() => onChange({ [field]: undefined })}
              className="inline-flex h-8 max-w-full items-center gap-1.5 rounded-full border border-line bg-muted pr-2.5 pl-3 text-[0.8125rem] font-medium transition-colors hover:border-line-strong"
            >
              <span className="truncate">{text}</span>
              <X aria-hidden className="size-3.5 shrink-0 text-muted-foreground" />
            </button>
          </li>
        ))}
      </ul>
      <Button variant="ghost" size="sm" className="ml-auto" onClick={onClear}>
        {t.clearAll}
      </Button>
    </div>
  )
}

interface Chip {
  field: keyof ItemFilter
  text: string
}

type Texts = ReturnType<typeof marketTexts.useT>['market']['filter']

/** The sort order isn't a filter, so it has no chip. */
function chipsOf(filter: ItemFilter, t: Texts, catalogue: Dictionary['catalogue']): Chip[] {
  const { search, series, certification, rarity, grade, minPrice, maxPrice } = filter
  const category = categories.find((one) => one === series)
  const texts = {
    search: search && t.words(search),
    series: category && catalogue.categories[category],
    certification,
    rarity: rarity && catalogue.rarities[rarity],
    grade: grade && t.gradeFrom(grade),
    minPrice: minPrice === undefined ? undefined : t.priceFrom(`$${number(minPrice)}`),
    maxPrice: maxPrice === undefined ? undefined : t.priceTo(`$${number(maxPrice)}`),
  }
  return Object.entries(texts).flatMap(([field, text]) => (text ? [{ field: field as keyof ItemFilter, text }] : []))
}
