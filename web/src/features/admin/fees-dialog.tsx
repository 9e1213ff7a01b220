import * as z from 'zod/mini'
import { useChangeRates } from '@/api/rates'
import { percentOf } from '@/components/fee'
import { useT } from '@/i18n'
import { errorText } from '@/i18n/error-text'
import { numberKinds, parseNumber } from '@/lib/parse-number'
import { terms } from '@/lib/config'
import type { Rates } from '@/contract/types'
import { toast } from '@/lib/toast'
import { anyText, optional, required } from '@/lib/field-parsers'
import { Field } from '@/components/ui/form/field'
import { NumberField } from '@/components/ui/form/number-field'
import { useForm } from '@/components/ui/form/use-form'
import { Input } from '@/components/ui/input'
import { FormDialog } from './form-dialog'
import { adminTexts } from './texts'

/** A percentage in basis points: "4.5" → 450. */
function pointsOf(text: string): number | undefined {
  const percent = parseNumber(text, numberKinds.fee)
  const points = percent === undefined ? NaN : Math.round(Number(percent) * 100)
  return points <= terms.highestRate ? points : undefined
}

const hourMs = 3_600_000

/** Converts local time to UTC: "2026-03-04T20:00" → "2026-03-04T12:00:00.000Z". Undefined outside the notice period. */
function effectiveOf(text: string): string | undefined {
  const at = Date.parse(text)
  const hours = (at - Date.now()) / hourMs
  return hours >= terms.ratesNoticeHours && hours <= terms.farthestRatesDays * 24
    ? new Date(at).toISOString()
    : undefined
}

const changed = z.object({
  listing: required(pointsOf),
  bid: required(pointsOf),
  counter: required(pointsOf),
  effectiveAt: optional(effectiveOf),
  reason: required(anyText),
})

/** Requests new fees, which a second admin has to approve. */
export default function FeesDialog({ rates, onClose }: { rates: Rates; onClose: () => void }) {
  const texts = useT()
  const adminT = adminTexts.useT().admin
  const t = adminT.settings
  const last = rates.announced.at(-1) ?? rates
  const wrong: Readonly<Record<string, string>> = {
    effectiveAt: t.wrongEffective(terms.ratesNoticeHours, terms.farthestRatesDays),
    reason: adminT.required,
  }
  const form = useForm({
    schema: changed,
    defaultValues: {
      listing: String(percentOf(last.listing)),
      bid: String(percentOf(last.bid)),
      counter: String(percentOf(last.counter)),
      effectiveAt: '',
      reason: '',
    },
    fieldErrorText: (_, field) => wrong[field] ?? t.wrongFee(percentOf(terms.highestRate)),
  })
  const change = useChangeRates({
    onDone: () => {
      toast({ title: adminT.waitsForSecond })
      onClose()
    },
    onFailed: (error) => {
      if (!form.showServerErrors(error))
        toast({ title: t.feesFailed, description: errorText(error, texts), variant: 'destructive' })
    },
  })
  const labels = { listing: t.fee, bid: t.bidFee, counter: t.counterFee }
  return (
    <FormDialog
      title={t.changeFees}
      text={t.changeFeesText}
      confirm={t.askForFees}
      form={form}
      pending={change.isPending}
      onSubmit={(asked) => change.mutate(asked)}
      onClose={onClose}
    >
      {(['listing', 'bid', 'counter'] as const).map((of) => (
        <NumberField
          key={of}
          form={form}
          name={of}
          label={t.inPercent(labels[of])}
          kind={numberKinds.fee}
          className="col-span-2 sm:col-span-1"
        />
      ))}
      <Field
        form={form}
        name="effectiveAt"
        label={t.effectiveAt}
        hint={t.effectiveHint(terms.ratesNoticeHours)}
        className="col-span-2"
      >
        {(control) => <Input {...control} type="datetime-local" />}
      </Field>
      <Field form={form} name="reason" label={t.feesReason} hint={t.feesReasonHint} className="col-span-2">
        {(control) => <Input {...control} autoComplete="off" />}
      </Field>
    </FormDialog>
  )
}
