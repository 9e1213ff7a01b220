import * as z from 'zod/mini'
import { useUnwatch, useWatch } from '@/api/watchlist'
import { useT } from '@/i18n'
import { errorText } from '@/i18n/error-text'
import { numberKinds } from '@/lib/parse-number'
import type { Watch } from '@/contract/types'
import { priceCents, priceInput } from '@/lib/price'
import { toast } from '@/lib/toast'
import { optional } from '@/lib/field-parsers'
import { Button } from '@/components/ui/button'
import { Dialog, DialogContent, DialogHeader } from '@/components/ui/dialog'
import { Form, SubmitButton } from '@/components/ui/form/form'
import { NumberField } from '@/components/ui/form/number-field'
import { useForm } from '@/components/ui/form/use-form'
import { alertsTexts } from './texts'

const below = z.object({ belowCents: optional((text) => priceCents(text)) })

interface WatchDialogProps {
  itemId: string
  name: string
  /** null if it is not watched yet */
  watch: Pick<Watch, 'id' | 'belowCents'> | null
  onClose: () => void
}

/** Asks at which price to tell, and ends the watching. */
export default function WatchDialog({ itemId, name, watch, onClose }: WatchDialogProps) {
  const t = alertsTexts.useT().watch
  const end = useEnd(onClose)
  const watching = useWatch(end(t.saved))
  const ending = useUnwatch(end(t.removed))
  const pending = watching.isPending || ending.isPending
  const form = useForm({
    schema: below,
    typed: { belowCents: watch?.belowCents ? priceInput(watch.belowCents) : '' },
    say: () => t.invalidPrice,
  })
  return (
    <Dialog open onOpenChange={(open) => !open && onClose()}>
      <DialogContent>
        <DialogHeader title={watch ? t.titleChange : t.title} text={t.text} />
        <p className="mb-4 text-sm font-medium">{name}</p>
        <Form
          form={form}
          pending={pending}
          onSubmit={(typed) => watching.mutate({ itemId, ...typed })}
          actions={
            <div className="mt-4 flex justify-end gap-3">
              {watch ? (
                <Button variant="secondary" disabled={pending} onClick={() => ending.mutate(watch.id)}>
                  {t.remove}
                </Button>
              ) : (
                <Button variant="secondary" onClick={onClose}>
                  {t.cancel}
                </Button>
              )}
              <SubmitButton pending={watching.isPending} disabled={ending.isPending}>
                {watching.isPending ? t.saving : t.save}
              </SubmitButton>
            </div>
          }
        >
          <NumberField form={form} name="belowCents" label={t.price} kind={numberKinds.money} />
        </Form>
      </DialogContent>
    </Dialog>
  )
}

/** What follows an answer. */
function useEnd(onClose: () => void) {
  const texts = useT()
  const t = alertsTexts.useT().watch
  return (title: string) => ({
    onSuccess: () => {
      toast({ title })
      onClose()
    },
    onError: (error: Error) => toast({ title: t.failed, description: errorText(error, texts), variant: 'destructive' }),
  })
}
