import { adminTexts } from './texts'
import { useSeriesName } from '@/i18n/names'
import type { ReactNode } from 'react'
import type { PackPreview } from '@/contract/types'
import { dollars } from '@/lib/format'
import { priceInput } from '@/lib/parse-price'
import { Button } from '@/components/ui/button'
import type { PackForm } from './pack-form'

interface PackSuggestionsProps {
  form: PackForm
  fits: PackPreview['fits']
}

/** Prices and series that would pass the margin check. Each button fills in its field. */
export function PackSuggestions({ form, fits: { lowestPriceCents, series } }: PackSuggestionsProps) {
  const t = adminTexts.useT().admin
  const seriesName = useSeriesName()
  return (
    <section aria-label={t.whatFits} className="space-y-3 rounded-xl border border-line bg-muted p-4">
      <h3 className="text-sm font-semibold">{t.whatFits}</h3>
      {lowestPriceCents !== null && (
        <Suggestion text={t.raisePrice}>
          <ApplyButton form={form} name="priceCents" value={priceInput(lowestPriceCents)}>
            {dollars(lowestPriceCents)}
          </ApplyButton>
        </Suggestion>
      )}
      <Suggestion text={series.length > 0 ? t.chooseSeries : t.noSeriesFits}>
        {series.map((name) => (
          <ApplyButton key={name} form={form} name="series" value={name}>
            {seriesName(name)}
          </ApplyButton>
        ))}
      </Suggestion>
    </section>
  )
}

function Suggestion({ text, children }: { text: string; children: ReactNode }) {
  return (
    <div className="flex flex-wrap items-center gap-2 text-sm">
      <p className="mr-1">{text}</p>
      {children}
    </div>
  )
}

interface ApplyButtonProps {
  form: PackForm
  name: 'priceCents' | 'series'
  value: string
  children: ReactNode
}

function ApplyButton({ form, name, value, children }: ApplyButtonProps) {
  return (
    <Button size="sm" variant="secondary" onClick={() => form.setValue(name, value, { shouldValidate: true })}>
      {children}
    </Button>
  )
}
