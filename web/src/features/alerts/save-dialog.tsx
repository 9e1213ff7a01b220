import { useState } from 'react'
import * as z from 'zod/mini'
import { useSaveSearch } from '@/api/saved-searches'
import { useT } from '@/i18n'
import { errorText } from '@/i18n/error-text'
import { terms } from '@/lib/config'
import { toast } from '@/lib/toast'
import { anyText, required } from '@/lib/field-parsers'
import { Button } from '@/components/ui/button'
import { Dialog, DialogContent, DialogHeader } from '@/components/ui/dialog'
import { Field } from '@/components/ui/form/field'
import { Form, SubmitButton } from '@/components/ui/form/form'
import { useForm } from '@/components/ui/form/use-form'
import { Input } from '@/components/ui/input'
import { alertsTexts } from './texts'

const schema = z.object({ name: required(anyText) })

interface SaveDialogProps {
  /** The filter as a URL query. */
  query: string
  onClose: () => void
}

/** Saves the market's filter under a name, with alerts about new matches or without. */
export default function SaveDialog({ query, onClose }: SaveDialogProps) {
  const texts = useT()
  const t = alertsTexts.useT().searches
  const [alert, setAlert] = useState(true)
  const form = useForm({
    schema,
    defaultValues: { name: '' },
    fieldErrorText: () => t.invalidName(terms.longestSearchName),
  })
  const saving = useSaveSearch({
    onSuccess: () => {
      toast({ title: t.saved })
      onClose()
    },
    onError: (error) => {
      if (form.showServerErrors(error)) return
      toast({ title: t.changeFailed, description: errorText(error, texts), variant: 'destructive' })
    },
  })
  return (
    <Dialog open onOpenChange={(open) => !open && onClose()}>
      <DialogContent>
        <DialogHeader title={t.title} text={t.text} />
        <Form
          form={form}
          pending={saving.isPending}
          onSubmit={({ name }) => saving.mutate({ name, query, alert })}
          className="space-y-4"
          actions={
            <div className="mt-4 flex justify-end gap-3">
              <Button variant="secondary" onClick={onClose}>
                {t.cancel}
              </Button>
              <SubmitButton pending={saving.isPending}>{saving.isPending ? t.saving : t.confirm}</SubmitButton>
            </div>
          }
        >
          <Field form={form} name="name" label={t.name}>
            {(control) => <Input {...control} maxLength={terms.longestSearchName} autoComplete="off" />}
          </Field>
          <label className="flex items-center gap-2.5 text-sm">
            <input
              type="checkbox"
              checked={alert}
              onChange={({ currentTarget }) => setAlert(currentTarget.checked)}
              className="size-4 accent-gold"
            />
            <span>{t.alert}</span>
          </label>
        </Form>
      </DialogContent>
    </Dialog>
  )
}
