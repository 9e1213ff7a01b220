import { useQuery } from '@tanstack/react-query'
import { useWatch } from 'react-hook-form'
import { packPreviewQuery, useCreatePack, useEditPack } from '@/api/admin-packs'
import { useLanguage } from '@/i18n'
import { useSeriesName } from '@/i18n/names'
import { numberKinds } from '@/lib/parse-number'
import type { AdminPack, MadePack } from '@/contract/types'
import { config, terms } from '@/lib/config'
import { dateTime, dollars, list } from '@/lib/format'
import { toast } from '@/lib/toast'
import { useDebounced } from '@/lib/use-debounced'
import { Field } from '@/components/ui/form/field'
import { NumberField } from '@/components/ui/form/number-field'
import { useForm } from '@/components/ui/form/use-form'
import { Input } from '@/components/ui/input'
import { Select } from '@/components/ui/select'
import { FormDialog } from './form-dialog'
import { PackFigures } from './pack-figures'
import {
  previewRequest,
  packChanges,
  type PackForm,
  packSchema,
  type Sealing,
  sealings,
  suggestedSealing,
  tiersOf,
  initialPack,
  unlimited,
} from './pack-form'
import { leftOutNames } from './left-out-names'
import { PackShares } from './pack-shares'
import { shortfallOf, useErrorToast, useFieldErrorText } from './form-errors'
import { adminTexts } from './texts'
import { PackSuggestions } from './pack-suggestions'

const { highestPackPriceCents, highestAcceptedLossCents, mostItemsPerPack, mostSupply } = terms

interface PackEditorProps {
  /** The pack to edit; without it the dialog creates one. */
  pack?: AdminPack
  onClose: () => void
}

/** Creates or edits a pack, with a live preview of its figures. */
export default function PackEditor({ pack, onClose }: PackEditorProps) {
  const t = adminTexts.useT().admin
  const editTexts = adminTexts.useT().editing
  const form = usePackForm(pack)
  const values = useWatch({ control: form.control, compute: (fields) => ({ ...initialPack(pack), ...fields }) })
  const request = useDebounced(previewRequest(values, pack))
  const preview = useQuery(packPreviewQuery(request))
  const suggested = suggestedSealing(values, preview.data?.figures)
  const isUnwise = pack !== undefined && suggested === 'sealed' && values.sealing !== 'sealed'
  const { submit, pending } = useSaving(form, pack, suggested, onClose)
  return (
    <FormDialog
      title={pack ? editTexts.pack.title : t.createPack}
      text={pack ? editTexts.pack.text : editTexts.pack.createText}
      {...(pack && { confirm: editTexts.save })}
      className="max-w-5xl"
      form={form}
      pending={pending}
      onSubmit={submit}
      onClose={onClose}
      aside={
        <div className="space-y-4 lg:sticky lg:top-0">
          <PackFigures preview={preview} hasInput={request !== undefined} />
          {preview.data?.refusal && <PackSuggestions form={form} fits={preview.data.fits} />}
        </div>
      }
    >
      <Terms
        form={form}
        pack={pack}
        suggested={suggested}
        isUnwise={isUnwise}
        series={preview.data?.fits.series ?? []}
      />
      <PackShares form={form} tiers={tiersOf(pack)} values={values} pack={pack} />
      {(values.acceptedLossCents !== '' || (preview.data?.figures?.marginCents ?? 0) < 0) && (
        <NumberField
          form={form}
          name="acceptedLossCents"
          label={t.acceptedLoss}
          className="col-span-2"
          kind={numberKinds.money}
        />
      )}
    </FormDialog>
  )
}

function usePackForm(pack: AdminPack | undefined): PackForm {
  const t = adminTexts.useT().admin
  const editTexts = adminTexts.useT().editing.pack
  const tiers = tiersOf(pack)
  const fieldErrorText = useFieldErrorText({
    priceCents: t.amountUpTo(dollars(highestPackPriceCents)),
    itemsPerPack: t.between(1, mostItemsPerPack),
    supply: t.between(unlimited, mostSupply),
    acceptedLossCents: t.amountUpTo(dollars(highestAcceptedLossCents)),
    ...Object.fromEntries(tiers.map((_, at) => [`share${at}`, editTexts.wrongShare])),
  })
  return useForm({ schema: packSchema(tiers), defaultValues: initialPack(pack), fieldErrorText })
}

/** Creates the pack, or sends only the changed fields of an existing one. */
function useSaving(form: PackForm, pack: AdminPack | undefined, suggested: Sealing, onClose: () => void) {
  const t = adminTexts.useT().admin
  const editTexts = adminTexts.useT().editing
  const language = useLanguage()
  const failed = useErrorToast()
  const onDone = ({ leftOut, announced, publishingSince, approval }: MadePack) => {
    const notes = [
      approval && t.waitsForSecond,
      publishingSince && editTexts.pack.publishing(dateTime(publishingSince, language)),
      announced && editTexts.inForce(dateTime(announced.effectiveAt, language)),
      leftOut.length > 0 && t.leftOut(leftOutNames(leftOut, t.andMore)),
    ].filter(Boolean)
    toast({ title: pack ? editTexts.saved : t.packCreated, ...(notes.length > 0 && { description: notes.join(' ') }) })
    onClose()
  }
  const onFailed = (error: Error) => {
    form.showServerErrors(error)
    if (shortfallOf(error)) form.setError('priceCents', { message: 'loses' })
    failed(error)
  }
  const creating = useCreatePack({ onDone, onFailed })
  const editing = useEditPack({ onDone, onFailed })
  function submit(body: Parameters<typeof packChanges>[1]) {
    if (!pack) return creating.mutate({ sealing: suggested, ...body })
    const was = packSchema(tiersOf(pack)).parse(initialPack(pack))
    const change = packChanges(was, body)
    if (Object.keys(change).length === 0) toast({ title: editTexts.unchanged })
    else editing.mutate({ id: pack.id, ...change })
  }
  return { submit, pending: creating.isPending || editing.isPending }
}

interface TermsProps {
  form: PackForm
  pack: AdminPack | undefined
  /** How the cards of a new pack should be drawn. */
  suggested: Sealing
  /** Whether an existing pack should be sealed, but isn't. */
  isUnwise: boolean
  /** Series the preview suggested. */
  series: readonly string[]
}

function Terms({ form, pack, suggested, isUnwise, series }: TermsProps) {
  const t = adminTexts.useT().admin
  const editTexts = adminTexts.useT().editing.pack
  return (
    <>
      <Field form={form} name="name" label={editTexts.name}>
        {(control) => <Input {...control} maxLength={terms.longestPackName} autoComplete="off" />}
      </Field>
      <Field form={form} name="nameZh" label={editTexts.nameZh} hint={editTexts.nameZhHint}>
        {(control) => <Input {...control} lang="zh-CN" maxLength={terms.longestPackName} autoComplete="off" />}
      </Field>
      <NumberField form={form} name="priceCents" label={t.priceDollars} kind={numberKinds.money} />
      <NumberField form={form} name="itemsPerPack" label={t.itemsPerPack} kind={numberKinds.whole} />
      <DrawsFrom form={form} more={[...(pack ? [pack.wanted.series.join('\n')] : []), ...series]} />
      <NumberField form={form} name="supply" label={t.supply} kind={numberKinds.signedWhole} />
      <Field
        form={form}
        name="coverImageUrl"
        label={t.coverUrl}
        hint={t.pictureHint}
        className={pack ? '' : 'col-span-2'}
      >
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
      <Field
        form={form}
        name="sealing"
        label={t.sealing}
        hint={isUnwise ? t.sealingAdvice : t.sealingHint}
        className={pack ? '' : 'col-span-2'}
      >
        {(control) => (
          <Select {...control} className="w-full">
            {!pack && <option value="">{t.suggestedSealing(t.sealings[suggested])}</option>}
            {sealings.map((sealing) => (
              <option key={sealing} value={sealing}>
                {t.sealings[sealing]}
              </option>
            ))}
          </Select>
        )}
      </Field>
      {pack && (
        <Field form={form} name="isActive" label={editTexts.state}>
          {(control) => (
            <Select {...control} className="w-full">
              <option value="true">{editTexts.onSale}</option>
              <option value="false">{editTexts.offSale}</option>
            </Select>
          )}
        </Field>
      )}
    </>
  )
}

/** Series to draw from. A pack with several series has one option for all of them. */
function DrawsFrom({ form, more }: { form: PackForm; more: readonly string[] }) {
  const t = adminTexts.useT().admin
  const language = useLanguage()
  const seriesName = useSeriesName()
  const all = new Set([...config.catalogue.series, ...more].filter(Boolean))
  return (
    <Field form={form} name="series" label={t.drawsFrom}>
      {(control) => (
        <Select {...control} className="w-full">
          <option value="">{t.allSeries}</option>
          {[...all].map((series) => (
            <option key={series} value={series}>
              {list(series.split('\n').map(seriesName), language)}
            </option>
          ))}
        </Select>
      )}
    </Field>
  )
}
