import { marketTexts } from './texts'
import { useWatch } from 'react-hook-form'
import * as z from 'zod/mini'
import { useRates } from '@/api/rates'
import { numberKinds, readNumber } from '@/lib/parse-number'
import type { Rates } from '@/contract/types'
import { dollars } from '@/lib/format'
import { priceCents, priceInput } from '@/lib/parse-price'
import { toast } from '@/lib/toast'
import { required } from '@/lib/field-parsers'
import { Button } from '@/components/ui/button'
import { Form, SubmitButton } from '@/components/ui/form/form'
import { NumberField } from '@/components/ui/form/number-field'
import { useForm } from '@/components/ui/form/use-form'
import { afterFee, percentOf } from '@/components/fee'
import { FeeChange } from '@/components/fee-change'

type Texts = ReturnType<typeof marketTexts.useT>['selling']

const schema = z.object({ priceCents: required(priceCents) })

interface PriceFormProps {
  /** The initial price. */
  priceCents?: number | undefined
  /** A price at or below the best bid sells to it right away. */
  bestBidCents: number | undefined
  confirm: string
  confirming: string
  pending: boolean
  onPrice: (cents: number) => void
  onCancel: () => void
}

/** Asks for a price and shows what the seller receives. */
export function PriceForm({ bestBidCents = 0, confirm, confirming, pending, ...props }: PriceFormProps) {
  const t = marketTexts.useT().selling
  const rates = useRates()
  const initialPrice = props.priceCents === undefined ? '' : priceInput(props.priceCents)
  const form = useForm({
    schema,
    defaultValues: { priceCents: initialPrice },
    fieldErrorText: () => t.invalidPriceText,
  })
  const text = useWatch({ control: form.control, name: 'priceCents' })
  const cents = priceCents(text)
  // An ambiguous number (1.250) shows its own question in the field.
  const isAmbiguous = 'choices' in readNumber(text, numberKinds.money)
  const sellsToBid = cents !== undefined && cents <= bestBidCents

  const label = sellsToBid ? t.sellToBid(dollars(bestBidCents)) : confirm
  return (
    <Form
      form={form}
      pending={pending}
      onSubmit={(values) => props.onPrice(values.priceCents)}
      onInvalid={() =>
        isAmbiguous || toast({ title: t.invalidPrice, description: t.invalidPriceText, variant: 'destructive' })
      }
      actions={
        <div className="mt-4 flex justify-end gap-3">
          <Button variant="secondary" onClick={props.onCancel}>
            {t.cancel}
          </Button>
          <SubmitButton pending={pending} disabled={text === ''}>
            {pending ? confirming : label}
          </SubmitButton>
        </div>
      }
    >
      <NumberField
        form={form}
        name="priceCents"
        label={t.price}
        hint={hintOf(cents, sellsToBid ? bestBidCents : undefined, rates, t)}
        kind={numberKinds.money}
        placeholder={t.pricePlaceholder}
      />
      <FeeChange of={sellsToBid ? 'bid' : 'listing'} />
    </Form>
  )
}

/** What the seller receives: for the price, or from the bid that fills it. */
function hintOf(cents: number | undefined, bidCents: number | undefined, rates: Rates, t: Texts): string {
  const { listing, bid } = rates
  if (cents === undefined) return t.fee(percentOf(listing))
  if (bidCents === undefined) return t.receive(dollars(afterFee(cents, listing)), percentOf(listing))
  return t.receiveFromBid(dollars(bidCents), dollars(afterFee(bidCents, bid)), percentOf(bid))
}
