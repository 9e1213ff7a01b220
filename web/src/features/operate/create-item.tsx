import { useId } from 'react'
import { type NewItem, useCreateItem } from '@/api/admin'
import { graders } from '@/domain/certificate'
import { useT } from '@/i18n'
import { operateTexts } from './texts'
import { terms } from '@/lib/config'
import { textOf } from '@/lib/form-text'
import { priceCents } from '@/lib/price'
import { rarities } from '@/lib/rarity'
import { toast } from '@/lib/toast'
import { Input } from '@/ui/input'
import { Select } from '@/ui/select'
import { Field, FormDialog } from './form'
import { useFailed, useReasons } from './refusal'
import { knownSeries } from './series'

type Reasons = ReturnType<typeof useReasons>

/** Adds an item to the catalogue. */
export default function CreateItem({ onClose }: { onClose: () => void }) {
  const t = operateTexts.useT()
  const { fail, failWith } = useFailed()
  const creating = useCreateItem({
    onDone: () => {
      toast({ title: t.itemCreated })
      onClose()
    },
    onFailed: failWith,
  })
  const why = useReasons(creating.error)

  function submit(fields: FormData) {
    const item = newItem(fields)
    if (item) creating.mutate(item)
    else fail(t.invalidValue)
  }

  return (
    <FormDialog
      title={t.createItem}
      text={t.createItemText}
      pending={creating.isPending}
      onSubmit={submit}
      onClose={onClose}
    >
      <Field label={t.name} reason={why('name')} wide>
        {(control) => <Input {...control} name="name" required maxLength={terms.longestItemName} autoComplete="off" />}
      </Field>
      <Kind why={why} />
      <Certificate why={why} />
      <Field label={t.baseValueDollars} reason={why('baseValueCents')}>
        {(control) => <Input {...control} name="value" type="number" min={0.01} step={0.01} required />}
      </Field>
      <Field label={t.imageUrl} reason={why('imageUrl')} wide>
        {(control) => (
          <Input
            {...control}
            name="imageUrl"
            type="url"
            maxLength={terms.longestPicture}
            placeholder={t.drawnPicture}
            autoComplete="off"
          />
        )}
      </Field>
    </FormDialog>
  )
}

/** What sort of thing it is. */
function Kind({ why }: { why: Reasons }) {
  const { catalogue } = useT()
  const t = operateTexts.useT()
  const listId = useId()
  return (
    <>
      <Field label={t.series} reason={why('series')}>
        {(control) => (
          <>
            <Input
              {...control}
              name="series"
              required
              maxLength={terms.longestSeries}
              list={listId}
              autoComplete="off"
            />
            <datalist id={listId}>
              {knownSeries.map((series) => (
                <option key={series} value={series} />
              ))}
            </datalist>
          </>
        )}
      </Field>
      <Field label={t.rarity} reason={why('rarity')}>
        {(control) => (
          <Select {...control} name="rarity" required className="w-full">
            {rarities.map((rarity) => (
              <option key={rarity} value={rarity}>
                {catalogue.rarities[rarity]}
              </option>
            ))}
          </Select>
        )}
      </Field>
    </>
  )
}

/** Who graded it, under which number, and how. */
function Certificate({ why }: { why: Reasons }) {
  const t = operateTexts.useT()
  return (
    <>
      <Field label={t.certType} reason={why('certType')}>
        {(control) => (
          <Select {...control} name="certType" className="w-full">
            <option value="">{t.noCertificate}</option>
            {graders.map((grader) => (
              <option key={grader}>{grader}</option>
            ))}
          </Select>
        )}
      </Field>
      <Field label={t.certNumber} reason={why('certNumber')}>
        {(control) => (
          <Input
            {...control}
            name="certNumber"
            inputMode="numeric"
            pattern="[0-9]{8,15}"
            title={t.certNumberForm}
            placeholder={t.certNumberForm}
            autoComplete="off"
          />
        )}
      </Field>
      <Field label={t.grade} reason={why('grade')}>
        {(control) => <Input {...control} name="grade" type="number" min={1} max={10} step={0.5} />}
      </Field>
    </>
  )
}

function newItem(fields: FormData): NewItem | undefined {
  const baseValueCents = priceCents(textOf(fields, 'value'))
  const rarity = rarities.find((known) => known === textOf(fields, 'rarity'))
  if (baseValueCents === undefined || !rarity) return undefined
  const grade = textOf(fields, 'grade')
  const certType = graders.find((known) => known === textOf(fields, 'certType'))
  const certNumber = textOf(fields, 'certNumber')
  const imageUrl = textOf(fields, 'imageUrl')
  return {
    name: textOf(fields, 'name'),
    series: textOf(fields, 'series'),
    rarity,
    baseValueCents,
    ...(grade && { grade: Number(grade) }),
    ...(certType && { certType }),
    ...(certNumber && { certNumber }),
    ...(imageUrl && { imageUrl }),
  }
}
