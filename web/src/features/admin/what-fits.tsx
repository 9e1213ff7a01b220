import { adminTexts } from './texts'
import type { ReactNode } from 'react'
import type { PackPreview } from '@/contract/types'
import { dollars } from '@/lib/format'
import { priceInput } from '@/lib/price'
import { Button } from '@/components/ui/button'
import type { PackForm } from './pack-form'

interface WhatFitsProps {
  form: PackForm
  fits: PackPreview['fits']
}

/** Stands beside the form of a pack that would be refused: what would pass, each taken over with one press. */
export function WhatFits({ form, fits: { lowestPriceCents, series } }: WhatFitsProps) {
  const t = adminTexts.useT().admin
  return (
    <section aria-label={t.whatFits} className="space-y-3 rounded-xl border border-line bg-muted p-4">
      <h3 className="text-sm font-semibold">{t.whatFits}</h3>
      {lowestPriceCents !== null && (
        <Way text={t.raisePrice}>
          <Take form={form} name="priceCents" value={priceInput(lowestPriceCents)}>
            {dollars(lowestPriceCents)}
          </Take>
        </Way>
      )}
      <Way text={series.length > 0 ? t.chooseSeries : t.noSeriesFits}>
        {series.map((name) => (
          <Take key={name} form={form} name="series" value={name}>
            {name}
          </Take>
        ))}
      </Way>
    </section>
  )
}

function Way({ text, children }: { text: string; children: ReactNode }) {
  return (
    <div className="flex flex-wrap items-center gap-2 text-sm">
      <p className="mr-1">{text}</p>
      {children}
    </div>
  )
}

interface TakeProps {
  form: PackForm
  name: 'priceCents' | 'series'
  value: string
  children: ReactNode
}

/** Writes its value into the form. */
function Take({ form, name, value, children }: TakeProps) {
  return (
    <Button size="sm" variant="secondary" onClick={() => form.setValue(name, value, { shouldValidate: true })}>
      {children}
    </Button>
  )
}
