import { useQuery } from '@tanstack/react-query'
import { adminPacksQuery } from '@/api/admin-packs'
import { useEditItem } from '@/api/admin-items'
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
import { itemChange, type ItemForm, itemSchema, typedItem } from './new-item'
import { useFailed, useSay } from './refusal'
import { adminTexts } from './texts'

const { leastGrade, mostGrade, shortestCertNumber, longestCertNumber } = terms

interface EditItemProps {
  item: AdminItem
  onClose: () => void
}

/** Changes an item: what is said of it, what it is worth, whether it is drawn, and how many there are. */
export default function EditItem({ item, onClose }: EditItemProps) {
  const t = adminTexts.useT().admin
  const words = adminTexts.useT().editing
  const failed = useFailed()
  const say = useSay({
    baseValueCents: t.amountUpTo(dollars(terms.highestPriceCents)),
    certNumber: t.digits(shortestCertNumber, longestCertNumber),
    grade: t.gradeBetween(leastGrade, mostGrade),
    restock: words.item.wrongCount,
  })
  const form = useForm({ schema: itemSchema, typed: typedItem(item), say })
  const editing = useEditItem({
    onDone: ({ approval }) => {
      toast(approval ? { title: words.item.sent, description: words.item.valueWaits } : { title: words.saved })
      onClose()
    },
    onFailed: (error) => {
      form.refuse(error)
      failed(error)
    },
  })
  return (
    <FormDialog
      title={words.item.title}
      text={words.item.text}
      confirm={words.save}
      className="max-w-2xl"
      form={form}
      pending={editing.isPending}
      onSubmit={(typed) => {
        const change = itemChange(item, typed)
        if (Object.keys(change).some((field) => field !== 'reason')) editing.mutate({ id: item.id, ...change })
        else toast({ title: words.unchanged })
      }}
      onClose={onClose}
    >
      <ItemFields form={form} />
      <Field form={form} name="source" label={words.item.source} hint={words.item.sourceHint}>
        {(control) => <Input {...control} maxLength={terms.longestSource} autoComplete="off" />}
      </Field>
      <Field form={form} name="reason" label={words.item.reason} hint={words.item.reasonHint}>
        {(control) => <Input {...control} maxLength={terms.longestReason} autoComplete="off" />}
      </Field>
      <Stock form={form} item={item} />
      <Field
        form={form}
        name="isActive"
        label={words.item.state}
        hint={words.item.retiredHint}
        className={item.stock ? '' : 'col-span-2'}
      >
        {(control) => (
          <Select {...control} className="w-full">
            <option value="true">{words.item.active}</option>
            <option value="false">{words.item.retired}</option>
          </Select>
        )}
      </Field>
    </FormDialog>
  )
}

/** How many of it there are, where somebody counts. */
function Stock({ form, item: { stock } }: { form: ItemForm; item: AdminItem }) {
  const t = adminTexts.useT().editing.item
  const packs = useQuery({ ...adminPacksQuery, enabled: !stock })
  return (
    <>
      <NumberField
        form={form}
        name="restock"
        label={t.restock}
        hint={stock ? t.left(stock.left, stock.packName) : t.endless}
        kind={numberKinds.signedWhole}
      />
      {!stock && (
        <Field form={form} name="restockPack" label={t.pack}>
          {(control) => (
            <Select {...control} className="w-full">
              <option value="">{t.noPack}</option>
              {packs.data?.map(({ id, wanted }) => (
                <option key={id} value={id}>
                  {wanted.name}
                </option>
              ))}
            </Select>
          )}
        </Field>
      )}
    </>
  )
}
