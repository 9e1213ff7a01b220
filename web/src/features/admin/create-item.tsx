import { useCreateItem } from '@/api/admin-items'
import { adminTexts } from './texts'
import { terms } from '@/lib/config'
import { dollars } from '@/lib/format'
import { toast } from '@/lib/toast'
import { useForm } from '@/components/ui/form/use-form'
import { FormDialog } from './form-dialog'
import { ItemFields } from './item-fields'
import { emptyItem, itemSchema, newItemBody } from './item-form'
import { useErrorToast, useFieldErrorText } from './form-errors'

const { leastGrade, mostGrade, shortestCertNumber, longestCertNumber } = terms

export default function CreateItem({ onClose }: { onClose: () => void }) {
  const t = adminTexts.useT().admin
  const failed = useErrorToast()
  const fieldErrorText = useFieldErrorText({
    baseValueCents: t.amountUpTo(dollars(terms.highestPriceCents)),
    certNumber: t.digits(shortestCertNumber, longestCertNumber),
    grade: t.gradeBetween(leastGrade, mostGrade),
  })
  const form = useForm({ schema: itemSchema, defaultValues: emptyItem, fieldErrorText })
  const creating = useCreateItem({
    onDone: () => {
      toast({ title: t.itemCreated })
      onClose()
    },
    onFailed: (error) => {
      form.showServerErrors(error)
      failed(error)
    },
  })

  return (
    <FormDialog
      title={t.createItem}
      text={t.createItemText}
      form={form}
      pending={creating.isPending}
      onSubmit={(item) => creating.mutate(newItemBody(item))}
      onClose={onClose}
    >
      <ItemFields form={form} />
    </FormDialog>
  )
}
