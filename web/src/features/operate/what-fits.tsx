import { operateTexts } from './texts'
import type { ReactNode } from 'react'
import { dollars } from '@/lib/format'
import { typedPrice } from '@/lib/price'
import { Button } from '@/ui/button'
import { Facts } from '@/ui/facts'
import { Field } from '@/ui/form/field'
import { Input } from '@/ui/input'
import type { PackForm } from './new-pack'
import type { Shortfall } from './refusal'

interface WhatFitsProps {
  form: PackForm
  series: readonly string[]
  /** Of a pack that would lose money. */
  shortfall: Shortfall | undefined
}

/** Stands in the form of a refused pack: why, and what would pass, each taken over with one press. */
export function WhatFits({ form, series, shortfall }: WhatFitsProps) {
  const t = operateTexts.useT()
  return (
    <section aria-label={t.whatFits} className="col-span-2 space-y-4 rounded-xl border border-line bg-muted p-4">
      {shortfall && <Figures shortfall={shortfall} />}
      {shortfall?.lowestPriceCents && (
        <Way text={t.raisePrice}>
          <Take form={form} name="priceCents" value={typedPrice(shortfall.lowestPriceCents)}>
            {dollars(shortfall.lowestPriceCents)}
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
      {shortfall && (
        <Field form={form} name="acceptedLossCents" label={t.acceptedLoss}>
          {(control) => <Input {...control} type="number" min={0.01} step={0.01} />}
        </Field>
      )}
    </section>
  )
}

function Figures({ shortfall }: { shortfall: Shortfall }) {
  const t = operateTexts.useT()
  return (
    <Facts
      look="stacks"
      className="grid grid-cols-3 gap-3"
      facts={[
        { label: t.expectedValue, value: dollars(shortfall.expectedValueCents) },
        { label: t.expectedSellBack, value: dollars(shortfall.expectedSellBackCents) },
        { label: t.price, value: dollars(shortfall.priceCents) },
      ]}
    />
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
