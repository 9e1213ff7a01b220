import { useId } from 'react'
import { graders } from '@/components/certificate'
import { useT } from '@/i18n'
import { useSeriesName } from '@/i18n/names'
import { adminTexts } from './texts'
import { numberKinds } from '@/lib/parse-number'
import { config, terms } from '@/lib/config'
import { rarities } from '@/lib/rarity'
import { Field } from '@/components/ui/form/field'
import { NumberField } from '@/components/ui/form/number-field'
import { Input } from '@/components/ui/input'
import { Select } from '@/components/ui/select'
import { type ItemForm, longest } from './item-form'

const { shortestCertNumber, longestCertNumber } = terms

export function ItemFields({ form }: { form: ItemForm }) {
  const t = adminTexts.useT().admin
  return (
    <>
      <Field form={form} name="name" label={t.name} className="col-span-2">
        {(control) => <Input {...control} maxLength={terms.longestItemName} autoComplete="off" />}
      </Field>
      <SeriesAndRarity form={form} />
      <SetAndNumber form={form} />
      <Certificate form={form} />
      <NumberField form={form} name="baseValueCents" label={t.baseValueDollars} kind={numberKinds.money} />
      <Field form={form} name="imageUrl" label={t.imageUrl} hint={t.pictureHint} className="col-span-2">
        {(control) => (
          <Input
            {...control}
            type="url"
            maxLength={terms.longestPicture}
            placeholder={t.urlPlaceholder}
            autoComplete="off"
          />
        )}
      </Field>
    </>
  )
}

function SeriesAndRarity({ form }: { form: ItemForm }) {
  const { catalogue } = useT()
  const t = adminTexts.useT().admin
  const seriesName = useSeriesName()
  const listId = useId()
  return (
    <>
      <Field form={form} name="series" label={t.series}>
        {(control) => (
          <>
            <Input {...control} maxLength={terms.longestSeries} list={listId} autoComplete="off" />
            <datalist id={listId}>
              {config.catalogue.series.map((series) => (
                <option key={series} value={series} label={seriesName(series)} />
              ))}
            </datalist>
          </>
        )}
      </Field>
      <Field form={form} name="rarity" label={t.rarity}>
        {(control) => (
          <Select {...control} className="w-full">
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

function SetAndNumber({ form }: { form: ItemForm }) {
  const t = adminTexts.useT().admin
  return (
    <>
      <Field form={form} name="set" label={t.set}>
        {(control) => <Input {...control} maxLength={longest.set} autoComplete="off" />}
      </Field>
      <Field form={form} name="setNumber" label={t.setNumber}>
        {(control) => <Input {...control} maxLength={longest.setNumber} autoComplete="off" />}
      </Field>
    </>
  )
}

function Certificate({ form }: { form: ItemForm }) {
  const t = adminTexts.useT().admin
  return (
    <>
      <Field form={form} name="certType" label={t.grader}>
        {(control) => (
          <Select {...control} className="w-full">
            <option value="">{t.noCertificate}</option>
            {graders.map((grader) => (
              <option key={grader}>{grader}</option>
            ))}
          </Select>
        )}
      </Field>
      <Field form={form} name="certNumber" label={t.certNumber}>
        {(control) => (
          <Input
            {...control}
            inputMode="numeric"
            placeholder={t.digits(shortestCertNumber, longestCertNumber)}
            autoComplete="off"
          />
        )}
      </Field>
      <NumberField form={form} name="grade" label={t.grade} kind={numberKinds.grade} />
    </>
  )
}
