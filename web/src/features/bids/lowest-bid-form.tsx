import * as z from 'zod/mini'
import { useSetLowestBid } from '@/api/bids'
import { useT } from '@/i18n'
import { numberKinds } from '@/lib/parse-number'
import { priceCents, priceInput } from '@/lib/price'
import { toast } from '@/lib/toast'
import { optional } from '@/lib/field-parsers'
import { Form, SubmitButton } from '@/components/ui/form/form'
import { NumberField } from '@/components/ui/form/number-field'
import { useForm } from '@/components/ui/form/use-form'
import { showBidError } from './bid-error'
import { bidsTexts } from './texts'

const schema = z.object({ lowestBidCents: optional(priceCents) })

interface LowestBidFormProps {
  inventoryId: string
  lowestBidCents: number | undefined
}

/** Sets the lowest bid that the owner of an entry accepts; lower ones are declined. */
export default function LowestBidForm({ inventoryId, lowestBidCents }: LowestBidFormProps) {
  const texts = useT()
  const allTexts = bidsTexts.useT().bids
  const { own: t } = allTexts
  const form = useForm({
    schema,
    typed: { lowestBidCents: lowestBidCents === undefined ? '' : priceInput(lowestBidCents) },
    say: () => t.lowestWrong,
  })
  const setting = useSetLowestBid({
    onDone: () => toast({ title: t.lowestSaved }),
    onFailed: (error) => {
      if (!form.refuse(error)) showBidError(t.lowestFailed, error, texts, allTexts)
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
