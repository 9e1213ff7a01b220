import * as z from 'zod/mini'
import { useSetLowestBid } from '@/api/bids'
import { numberKinds } from '@/lib/parse-number'
import { priceCents, priceInput } from '@/lib/parse-price'
import { toast } from '@/lib/toast'
import { optional } from '@/lib/field-parsers'
import { Form, SubmitButton } from '@/components/ui/form/form'
import { NumberField } from '@/components/ui/form/number-field'
import { useForm } from '@/components/ui/form/use-form'
import { bidsTexts } from './texts'
import { useBidError } from './use-bid-error'

const schema = z.object({ lowestBidCents: optional(priceCents) })

interface LowestBidFormProps {
  inventoryId: string
  lowestBidCents: number | undefined
}

/** Sets the lowest bid that the owner of an entry accepts; lower ones are declined. */
export default function LowestBidForm({ inventoryId, lowestBidCents }: LowestBidFormProps) {
  const t = bidsTexts.useT().bids.own
  const showError = useBidError()
  const form = useForm({
    schema,
    defaultValues: { lowestBidCents: lowestBidCents === undefined ? '' : priceInput(lowestBidCents) },
    fieldErrorText: () => t.lowestWrong,
  })
  const setting = useSetLowestBid({
    onDone: () => toast({ title: t.lowestSaved }),
    onFailed: (error) => {
      if (!form.showServerErrors(error)) showError(t.lowestFailed, error)
    },
  })
  return (
    <div className="mt-5 border-t pt-4">
      <Form
        form={form}
        pending={setting.isPending}
        onSubmit={(values) => setting.mutate({ id: inventoryId, lowestBidCents: values.lowestBidCents ?? null })}
        className="max-w-96"
        actions={
          <SubmitButton pending={setting.isPending} variant="secondary" size="sm" className="mt-3">
            {t.lowestSave}
          </SubmitButton>
        }
      >
        <NumberField form={form} name="lowestBidCents" label={t.lowest} hint={t.lowestHint} kind={numberKinds.money} />
      </Form>
    </div>
  )
}
