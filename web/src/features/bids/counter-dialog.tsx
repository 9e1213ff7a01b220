import { useWatch } from 'react-hook-form'
import * as z from 'zod/mini'
import { useCounterBid } from '@/api/bids'
import { useRates } from '@/api/rates'
import { afterFee, percentOf } from '@/components/fee'
import { FeeChange } from '@/components/fee-change'
import { numberKinds } from '@/lib/parse-number'
import { terms } from '@/lib/config'
import type { EntryLife, OwnerBid } from '@/contract/types'
import { dollars } from '@/lib/format'
import { priceCents } from '@/lib/parse-price'
import { toast } from '@/lib/toast'
import { required } from '@/lib/field-parsers'
import { Facts } from '@/components/ui/facts'
import { NumberField } from '@/components/ui/form/number-field'
import { useForm } from '@/components/ui/form/use-form'
import { BidDialogFrame } from './bid-dialog-frame'
import { bidsTexts } from './texts'
import { useBidError } from './use-bid-error'
import { usePriceConfirmation } from './use-price-confirmation'

interface CounterDialogProps {
  entry: EntryLife
  bid: OwnerBid
  onClose: () => void
}

/** Makes a counter-offer to a bid on the user's entry. */
export default function CounterDialog({ entry, bid, onClose }: CounterDialogProps) {
  const { counter: fee } = useRates()
  const t = bidsTexts.useT().bids.own
  const { value } = bidsTexts.useT().bids.form
  const showError = useBidError()
  const form = useForm({
    schema: z.object({
      priceCents: required((text) => {
        const cents = priceCents(text)
        return cents !== undefined && cents > bid.paysCents ? cents : undefined
      }),
    }),
    defaultValues: { priceCents: '' },
    fieldErrorText: () => t.counterWrong(dollars(bid.paysCents)),
  })
  const cents = priceCents(useWatch({ control: form.control, name: 'priceCents' }))
  const { far, confirmation, onError } = usePriceConfirmation(cents)
  const countering = useCounterBid({
    onDone: () => {
      toast({ title: t.countered })
      onClose()
    },
    onFailed: (error) => {
      if (!onError(error) && !form.showServerErrors(error)) showError(t.counterFailed, error)
    },
  })
  const price = cents === undefined ? undefined : dollars(cents)
  return (
    <BidDialogFrame
      title={t.counterTitle}
      text={entry.item.name}
      form={form}
      pending={countering.isPending}
      onSubmit={(values) => countering.mutate({ id: bid.id, inventoryId: entry.id, ...values, ...confirmation })}
      onClose={onClose}
      warnings={[far && t.counterFar(dollars(far.valueCents))]}
      submit={price === undefined ? t.counterTitle : far ? t.counterAnyway(price) : t.counterSend(price)}
      disabled={price === undefined}
    >
      <Facts
        className="mb-4 rounded-xl border bg-background p-4"
        facts={[
          { label: t.bid, value: dollars(bid.paysCents) },
          { label: value, value: dollars(entry.item.baseValueCents) },
        ]}
      />
      <NumberField
        form={form}
        name="priceCents"
        label={t.counterPrice}
        hint={cents === undefined ? '' : t.counterHint(dollars(afterFee(cents, fee)), percentOf(fee))}
        kind={numberKinds.money}
      />
      <FeeChange of="counter" />
      <p className="mt-3 text-sm text-pretty text-muted-foreground">{t.counterText(terms.counterHours)}</p>
    </BidDialogFrame>
  )
}
