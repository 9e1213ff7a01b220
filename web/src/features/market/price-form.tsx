import { sellingTexts } from './texts/selling'
import { useWatch } from 'react-hook-form'
import * as z from 'zod/mini'
import { terms } from '@/lib/config'
import { dollars } from '@/lib/format'
import { priceCents } from '@/lib/price'
import { toast } from '@/lib/toast'
import { required } from '@/lib/typed'
import { Button } from '@/ui/button'
import { Field } from '@/ui/form/field'
import { Form, SubmitButton } from '@/ui/form/form'
import { useForm } from '@/ui/form/use-form'
import { Input } from '@/ui/input'
import { afterFee } from './fee'

const price = z.object({ priceCents: required(priceCents) })

interface PriceFormProps {
  /** What stands in the field at first. */
  typed?: string
  confirm: string
  confirming: string
  pending: boolean
  onPrice: (cents: number) => void
  onCancel: () => void
}

/** Asks for a price and says what the seller will get of it. */
export function PriceForm({ typed = '', confirm, confirming, pending, onPrice, onCancel }: PriceFormProps) {
  const t = sellingTexts.useT()
  const form = useForm({ schema: price, typed: { priceCents: typed }, say: () => t.invalidPriceText })
  const text = useWatch({ control: form.control, name: 'priceCents' })
  const cents = priceCents(text)

  return (
    <Form
      form={form}
      pending={pending}
      onSubmit={(asked) => onPrice(asked.priceCents)}
      onWrong={() => toast({ title: t.invalidPrice, description: t.invalidPriceText, variant: 'destructive' })}
      actions={
        <div className="mt-4 flex justify-end gap-3">
          <Button variant="secondary" onClick={onCancel}>
            {t.cancel}
          </Button>
          <SubmitButton pending={pending} disabled={text === ''}>
            {pending ? confirming : confirm}
          </SubmitButton>
        </div>
      }
    >
      <Field
        form={form}
        name="priceCents"
        label={t.price}
        hint={
          cents === undefined
            ? t.receiveNothing(terms.feePercent)
            : t.receive(dollars(afterFee(cents)), terms.feePercent)
        }
      >
        {(control) => (
          <Input {...control} type="number" inputMode="decimal" step={0.01} placeholder={t.pricePlaceholder} />
        )}
      </Field>
    </Form>
  )
}
