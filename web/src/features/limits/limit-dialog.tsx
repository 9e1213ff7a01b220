import * as z from 'zod/mini'
import { useSetLimits } from '@/api/limits'
import { useT } from '@/i18n'
import { errorText } from '@/i18n/error-text'
import { numberKinds } from '@/lib/parse-number'
import { terms } from '@/lib/config'
import type { Limit } from '@/contract/types'
import { points } from '@/lib/format'
import { amountCents, priceCents, priceInput } from '@/lib/parse-price'
import { toast } from '@/lib/toast'
import { optional } from '@/lib/field-parsers'
import { Button } from '@/components/ui/button'
import { Dialog, DialogContent, DialogHeader } from '@/components/ui/dialog'
import { Form, SubmitButton } from '@/components/ui/form/form'
import { NumberField } from '@/components/ui/form/number-field'
import { useForm } from '@/components/ui/form/use-form'
import { limitsTexts } from './texts'

/** 0 is a valid limit; empty means no limit. */
const limitSchema = z.object({
  cents: optional((text) => (amountCents(text) === 0 ? 0 : priceCents(text))),
})

interface LimitDialogProps {
  limit: Limit
  onClose: () => void
}

export default function LimitDialog({ limit, onClose }: LimitDialogProps) {
  const texts = useT()
  const t = limitsTexts.useT().dialog
  const setting = useSetLimits({
    onSuccess: ({ limits }) => {
      const isRequest = limits.some((changed) => changed.limit === limit.limit && changed.wanted)
      toast({ title: isRequest ? t.requested : t.saved })
      onClose()
    },
    onError: (error) => toast({ title: t.failed, description: errorText(error, texts), variant: 'destructive' }),
  })
  const form = useForm({
    schema: limitSchema,
    defaultValues: { cents: limit.cents === null ? '' : priceInput(limit.cents) },
    fieldErrorText: () => t.invalid(points(terms.highestPriceCents, 0)),
  })
  return (
    <Dialog open onOpenChange={(open) => !open && onClose()}>
      <DialogContent>
        <DialogHeader title={t.titles[limit.limit]} text={t.text} />
        <Form
          form={form}
          pending={setting.isPending}
          onSubmit={({ cents }) => setting.mutate({ limits: [{ limit: limit.limit, cents: cents ?? null }] })}
          actions={
            <div className="mt-4 flex justify-end gap-3">
              <Button variant="secondary" onClick={onClose}>
                {t.cancel}
              </Button>
              <SubmitButton pending={setting.isPending}>{setting.isPending ? t.saving : t.save}</SubmitButton>
            </div>
          }
        >
          <NumberField form={form} name="cents" label={t.amount} hint={t.amountHint} kind={numberKinds.money} />
        </Form>
      </DialogContent>
    </Dialog>
  )
}
