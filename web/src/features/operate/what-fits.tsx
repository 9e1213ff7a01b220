import type { MouseEvent, ReactNode } from 'react'
import { operateTexts } from './texts'
import { dollars } from '@/lib/format'
import { typedPrice } from '@/lib/price'
import { Button } from '@/ui/button'
import { Input } from '@/ui/input'
import { Field, fill } from './form'
import type { Shortfall } from './refusal'

interface WhatFitsProps {
  series: readonly string[]
  /** Of a pack that would lose money. */
  shortfall: Shortfall | undefined
}

/** Stands in the form of a refused pack: why, and what would pass, each taken over with one press. */
export function WhatFits({ series, shortfall }: WhatFitsProps) {
  const t = operateTexts.useT()
  return (
    <section aria-label={t.whatFits} className="col-span-2 space-y-4 rounded-xl border border-line bg-muted p-4">
      {shortfall && <Figures shortfall={shortfall} />}
      {shortfall?.lowestPriceCents && (
        <Way text={t.raisePrice}>
          <Take name="price" value={typedPrice(shortfall.lowestPriceCents)}>
            {dollars(shortfall.lowestPriceCents)}
          </Take>
        </Way>
      )}
      <Way text={series.length > 0 ? t.chooseSeries : t.noSeriesFits}>
        {series.map((name) => (
          <Take key={name} name="series" value={name}>
            {name}
          </Take>
        ))}
      </Way>
      {shortfall && (
        <Field label={t.acceptedLoss}>
          {(control) => <Input {...control} name="loss" type="number" min={0.01} step={0.01} />}
        </Field>
      )}
    </section>
  )
}

function Figures({ shortfall }: { shortfall: Shortfall }) {
  const t = operateTexts.useT()
  const figures = [
    { label: t.expectedValue, cents: shortfall.expectedValueCents },
    { label: t.expectedSellBack, cents: shortfall.expectedSellBackCents },
    { label: t.price, cents: shortfall.priceCents },
  ]
  return (
    <dl className="grid grid-cols-3 gap-3">
      {figures.map(({ label, cents }) => (
        <div key={label}>
          <dt className="text-xs text-muted-foreground">{label}</dt>
          <dd className="mt-0.5 font-semibold tabular-nums">{dollars(cents)}</dd>
        </div>
      ))}
    </dl>
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

/** Writes its value into the form. */
function Take({ name, value, children }: { name: string; value: string; children: ReactNode }) {
  const take = (event: MouseEvent<HTMLButtonElement>) => fill(event.currentTarget.form, name, value)
  return (
    <Button size="sm" variant="secondary" onClick={take}>
      {children}
    </Button>
  )
}
