import { useState } from 'react'
import { useWatch } from 'react-hook-form'
import * as z from 'zod/mini'
import { useCounterBid } from '@/api/bids'
import { useRates } from '@/api/rates'
import { afterFee, percentOf } from '@/components/fee'
import { FeeChange } from '@/components/fee-change'
import { useT } from '@/i18n'
import { numberKinds } from '@/lib/parse-number'
import { terms } from '@/lib/config'
import type { EntryLife, OwnerBid } from '@/contract/types'
import { dollars } from '@/lib/format'
import { priceCents } from '@/lib/price'
import { toast } from '@/lib/toast'
import { required } from '@/lib/field-parsers'
import { Button } from '@/components/ui/button'
import { Dialog, DialogContent, DialogHeader } from '@/components/ui/dialog'
import { Form, SubmitButton } from '@/components/ui/form/form'
import { NumberField } from '@/components/ui/form/number-field'
import { useForm } from '@/components/ui/form/use-form'
import { farPrice, tellBidder } from './tell-bidder'
import { bidsTexts } from './texts'

interface CounterDialogProps {
  entry: EntryLife
  bid: OwnerBid
  onClose: () => void
}

/** Answers a bid for an entry with a price. */
export default function CounterDialog({ entry, bid, onClose }: CounterDialogProps) {
  const texts = useT()
  const { counter } = useRates()
  const all = bidsTexts.useT().bids
  const { own: t } = all
  const [far, setFar] = useState<{ cents: number; valueCents: number }>()
  const form = useForm({
    schema: z.object({
      priceCents: required((text) => {
        const cents = priceCents(text)
        return cents !== undefined && cents > bid.paysCents ? cents : undefined
      }),
    }),
    typed: { priceCents: '' },
    say: () => t.counterWrong(dollars(bid.paysCents)),
  })
  const cents = priceCents(useWatch({ control: form.control, name: 'priceCents' }))
  const anyway = far !== undefined && far.cents === cents
  const countering = useCounterBid({
    onDone: () => {
      toast({ title: t.countered })
      onClose()
    },
    onFailed: (error) => {
      const found = farPrice(error)
      if (found && cents !== undefined) setFar({ cents, valueCents: found.valueCents })
      else if (!form.refuse(error)) tellBidder(t.counterFailed, error, texts, all)
    },
  })
  return (
    <Dialog open onOpenChange={(open) => !open && onClose()}>
      <DialogContent>
        <DialogHeader title={t.counterTitle} text={t.counterText(terms.counterHours)} />
        <Form
          form={form}
          pending={countering.isPending}
          onSubmit={(asked) =>
            countering.mutate({
              id: bid.id,
              inventoryId: entry.id,
              ...asked,
              ...(anyway && { confirmedCents: asked.priceCents }),
            })
          }
          actions={
            <>
              <p
                role="alert"
                className="mt-4 rounded-xl bg-warning p-3 text-sm text-pretty text-warning-foreground empty:hidden"
              >
                {anyway && t.counterFar(dollars(far.valueCents))}
              </p>
              <div className="mt-5 flex justify-end gap-3">
                <Button variant="secondary" onClick={onClose}>
                  {t.cancel}
                </Button>
                <SubmitButton pending={countering.isPending} disabled={cents === undefined}>
                  {cents === undefined
                    ? t.counterTitle
                    : anyway
                      ? t.counterAnyway(dollars(cents))
                      : t.counterSend(dollars(cents))}
                </SubmitButton>
              </div>
            </>
          }
        >
          <NumberField
            form={form}
            name="priceCents"
            label={t.counterPrice}
            hint={cents === undefined ? '' : t.counterHint(dollars(afterFee(cents, counter)), percentOf(counter))}
            kind={numberKinds.money}
          />
          <FeeChange of="counter" />
        </Form>
      </DialogContent>
    </Dialog>
  )
}
