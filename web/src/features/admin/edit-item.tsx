import { useQuery } from '@tanstack/react-query'
import { adminPacksQuery } from '@/api/admin-packs'
import { useEditItem } from '@/api/admin-items'
import { usePackName } from '@/i18n/names'
import { numberKinds } from '@/lib/parse-number'
import type { AdminItem } from '@/contract/types'
import { terms } from '@/lib/config'
import { dollars } from '@/lib/format'
import { toast } from '@/lib/toast'
import { Field } from '@/components/ui/form/field'
import { NumberField } from '@/components/ui/form/number-field'
import { useForm } from '@/components/ui/form/use-form'
import { Input } from '@/components/ui/input'
import { Select } from '@/components/ui/select'
import { FormDialog } from './form-dialog'
import { ItemFields } from './item-fields'
import { itemChanges, type ItemForm, itemSchema, initialItem } from './item-form'
import { useErrorToast, useFieldErrorText } from './form-errors'
import { adminTexts } from './texts'

const { leastGrade, mostGrade, shortestCertNumber, longestCertNumber } = terms

interface EditItemProps {
  item: AdminItem
  onClose: () => void
}

/** Edits an item's fields, value, state and stock. */
export default function EditItem({ item, onClose }: EditItemProps) {
  const t = adminTexts.useT().admin
  const editTexts = adminTexts.useT().editing
  const failed = useErrorToast()
  const fieldErrorText = useFieldErrorText({
    baseValueCents: t.amountUpTo(dollars(terms.highestPriceCents)),
    certNumber: t.digits(shortestCertNumber, longestCertNumber),
    grade: t.gradeBetween(leastGrade, mostGrade),
    restock: editTexts.item.wrongCount,
  })
  const form = useForm({ schema: itemSchema, defaultValues: initialItem(item), fieldErrorText })
  const editing = useEditItem({
    onDone: ({ approval }) => {
      toast(
        approval ? { title: editTexts.item.sent, description: editTexts.item.valueWaits } : { title: editTexts.saved },
      )
      onClose()
    },
    onFailed: (error) => {
      form.showServerErrors(error)
      failed(error)
    },
  })
  return (
    <FormDialog
      title={editTexts.item.title}
      text={editTexts.item.text}
      confirm={editTexts.save}
      className="max-w-2xl"
      form={form}
      pending={editing.isPending}
      onSubmit={(values) => {
        const change = itemChanges(item, values)
        if (Object.keys(change).some((field) => field !== 'reason')) editing.mutate({ id: item.id, ...change })
        else toast({ title: editTexts.unchanged })
      }}
      onClose={onClose}
    >
      <ItemFields form={form} />
      <Field form={form} name="source" label={editTexts.item.source} hint={editTexts.item.sourceHint}>
        {(control) => <Input {...control} maxLength={terms.longestSource} autoComplete="off" />}
      </Field>
      <Field form={form} name="reason" label={editTexts.item.reason} hint={editTexts.item.reasonHint}>
        {(control) => <Input {...control} maxLength={terms.longestReason} autoComplete="off" />}
      </Field>
      <Stock form={form} item={item} />
      <Field
        form={form}
        name="isActive"
        label={editTexts.item.state}
        hint={editTexts.item.retiredHint}
        className={item.stock ? '' : 'col-span-2'}
      >
        {(control) => (
          <Select {...control} className="w-full">
            <option value="true">{editTexts.item.active}</option>
            <option value="false">{editTexts.item.retired}</option>
          </Select>
        )}
      </Field>
    </FormDialog>
  )
}

/** Stock of an item. An item without stock gets it in a chosen pack. */
function Stock({ form, item: { stock } }: { form: ItemForm; item: AdminItem }) {
  const t = adminTexts.useT().editing.item
  const packName = usePackName()
  const packs = useQuery({ ...adminPacksQuery, enabled: !stock })
  return (
    <>
      <NumberField
        form={form}
        name="restock"
        label={t.restock}
        hint={stock ? t.left(stock.left, packName(stock)) : t.endless}
        kind={numberKinds.signedWhole}
      />
      {!stock && (
        <Field form={form} name="restockPack" label={t.pack}>
          {(control) => (
            <Select {...control} className="w-full">
              <option value="">{t.noPack}</option>
              {packs.data?.map(({ id, wanted }) => (
                <option key={id} value={id}>
                  {packName(wanted)}
                </option>
              ))}
            </Select>
          )}
        </Field>
      )}
    </>
  )
}
