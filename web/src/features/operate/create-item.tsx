import { useT } from '@/i18n'
import { errorText } from '@/i18n/error-text'
import { operateTexts } from '@/i18n/operate'
import { priceCents } from '@/lib/price'
import { rarities } from '@/lib/rarity'
import { toast } from '@/lib/toast'
import { Input } from '@/ui/input'
import { Select } from '@/ui/select'
import { type NewItem, useCreateItem } from './api/create'
import { Field, FormDialog, textOf } from './form'
import { knownSeries } from './series'

/** Adds an item to the catalogue. */
export default function CreateItem({ onClose }: { onClose: () => void }) {
  const texts = useT()
  const t = operateTexts.useT()
  const fail = (description: string) => toast({ title: t.error, description, variant: 'destructive' })
  const creating = useCreateItem({
    onDone: () => {
      toast({ title: t.itemCreated })
      onClose()
    },
    onFailed: (error) => fail(errorText(error, texts)),
  })

  function submit(fields: FormData) {
    const item = newItem(fields)
    if (item) creating.mutate(item)
    else fail(t.invalidValue)
  }

  return (
    <FormDialog title={t.createItem} text={t.createItemText} pending={creating.isPending} onSubmit={submit} onClose={onClose}>
      <Field label={t.name} wide>
        {(id) => <Input id={id} name="name" required maxLength={200} autoComplete="off" />}
      </Field>
      <Field label={t.series}>
        {(id) => (
          <>
            <Input id={id} name="series" required maxLength={64} list={`${id}known`} autoComplete="off" />
            <datalist id={`${id}known`}>
              {knownSeries.map((series) => (
                <option key={series} value={series} />
              ))}
            </datalist>
          </>
        )}
      </Field>
      <Field label={t.rarity}>
        {(id) => (
          <Select id={id} name="rarity" required className="w-full">
            {rarities.map((rarity) => (
              <option key={rarity} value={rarity}>
                {texts.catalogue.rarities[rarity]}
              </option>
            ))}
          </Select>
        )}
      </Field>
      <Field label={t.grade}>
        {(id) => <Input id={id} name="grade" type="number" min={1} max={10} step={0.5} />}
      </Field>
      <Field label={t.baseValueDollars}>
        {(id) => <Input id={id} name="value" type="number" min={0.01} step={0.01} required />}
      </Field>
      <Field label={t.imageUrl} wide>
        {(id) => <Input id={id} name="imageUrl" type="url" maxLength={2000} placeholder={t.drawnPicture} autoComplete="off" />}
      </Field>
    </FormDialog>
  )
}

function newItem(fields: FormData): NewItem | undefined {
  const baseValueCents = priceCents(textOf(fields, 'value'))
  const rarity = rarities.find((known) => known === textOf(fields, 'rarity'))
  if (baseValueCents === undefined || !rarity) return undefined
  const grade = textOf(fields, 'grade')
  const imageUrl = textOf(fields, 'imageUrl')
  return {
    name: textOf(fields, 'name'),
    series: textOf(fields, 'series'),
    rarity,
    baseValueCents,
    ...(grade && { grade: Number(grade) }),
    ...(imageUrl && { imageUrl }),
  }
}
