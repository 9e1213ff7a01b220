import * as z from 'zod/mini'
import { useUnwatch, useWatch } from '@/api/watchlist'
import { useT } from '@/i18n'
import { errorText } from '@/i18n/error-text'
import { numberKinds } from '@/lib/parse-number'
import type { Watch } from '@/contract/types'
import { priceCents, priceInput } from '@/lib/parse-price'
import { toast } from '@/lib/toast'
import { optional } from '@/lib/field-parsers'
import { Button } from '@/components/ui/button'
import { Dialog, DialogContent, DialogHeader } from '@/components/ui/dialog'
import { Form, SubmitButton } from '@/components/ui/form/form'
import { NumberField } from '@/components/ui/form/number-field'
import { useForm } from '@/components/ui/form/use-form'
import { alertsTexts } from './texts'

const schema = z.object({ belowCents: optional((text) => priceCents(text)) })

interface WatchDialogProps {
  itemId: string
  name: string
  /** null if the item isn't watched yet. */
  watch: Pick<Watch, 'id' | 'belowCents'> | null
  onClose: () => void
}

/** Watches an item with an optional alert price, or stops watching it. */
export default function WatchDialog({ itemId, name, watch, onClose }: WatchDialogProps) {
  const t = alertsTexts.useT().watch
  const handlers = useHandlers(onClose)
  const watching = useWatch(handlers(t.saved))
  const unwatching = useUnwatch(handlers(t.removed))
  const pending = watching.isPending || unwatching.isPending
  const form = useForm({
    schema,
    defaultValues: { belowCents: watch?.belowCents ? priceInput(watch.belowCents) : '' },
    fieldErrorText: () => t.invalidPrice,
  })
  return (
    <Dialog open onOpenChange={(open) => !open && onClose()}>
      <DialogContent>
        <DialogHeader title={watch ? t.titleChange : t.title} text={t.text} />
        <p className="mb-4 text-sm font-medium">{name}</p>
        <Form
          form={form}
          pending={pending}
          onSubmit={(values) => watching.mutate({ itemId, ...values })}
          actions={
            <div className="mt-4 flex justify-end gap-3">
              {watch ? (
                <Button variant="secondary" disabled={pending} onClick={() => unwatching.mutate(watch.id)}>
                  {t.remove}
                </Button>
              ) : (
                <Button variant="secondary" onClick={onClose}>
                  {t.cancel}
                </Button>
              )}
              <SubmitButton pending={watching.isPending} disabled={unwatching.isPending}>
                {watching.isPending ? t.saving : watch ? t.save : t.watch}
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

/** Returns mutation handlers that close the dialog with a toast of this title, or show the error. */
function useHandlers(onClose: () => void) {
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
