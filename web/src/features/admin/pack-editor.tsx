import { useQuery } from '@tanstack/react-query'
import { useWatch } from 'react-hook-form'
import { packPreviewQuery, useCreatePack, useEditPack } from '@/api/admin-packs'
import { useLanguage } from '@/i18n'
import { numberKinds } from '@/lib/parse-number'
import type { AdminPack, MadePack } from '@/contract/types'
import { config, terms } from '@/lib/config'
import { dateTime, dollars } from '@/lib/format'
import { toast } from '@/lib/toast'
import { useDebounced } from '@/lib/use-debounced'
import { Field } from '@/components/ui/form/field'
import { NumberField } from '@/components/ui/form/number-field'
import { useForm } from '@/components/ui/form/use-form'
import { Input } from '@/components/ui/input'
import { Select } from '@/components/ui/select'
import { FormDialog } from './form-dialog'
import { PackFigures } from './pack-figures'
import { askedAhead, changeOf, type PackForm, packSchema, tiersOf, typedPack, unlimited } from './pack-form'
import { namesOf } from './pack-names'
import { PackShares } from './pack-shares'
import { shortfallOf, useFailed, useSay } from './refusal'
import { adminTexts } from './texts'
import { WhatFits } from './what-fits'

const { highestPackPriceCents, highestAcceptedLossCents, mostItemsPerPack, mostSupply } = terms

interface PackEditorProps {
  /** The pack that is edited; without it one is made. */
  pack?: AdminPack
  onClose: () => void
}

/** Makes a pack or edits one, and shows while it is typed what it would be. */
export default function PackEditor({ pack, onClose }: PackEditorProps) {
  const t = adminTexts.useT().admin
  const words = adminTexts.useT().editing
  const form = usePackForm(pack)
  const { submit, pending } = useSaving(form, pack, onClose)
  const typed = useWatch({ control: form.control, compute: (values) => ({ ...typedPack(pack), ...values }) })
  const asked = useDebounced(askedAhead(typed, pack))
  const ahead = useQuery(packPreviewQuery(asked))
  return (
    <FormDialog
      title={pack ? words.pack.title : t.createPack}
      text={pack ? words.pack.text : words.pack.createText}
      {...(pack && { confirm: words.save })}
      className="max-w-5xl"
      form={form}
      pending={pending}
      onSubmit={submit}
      onClose={onClose}
      aside={
        <div className="space-y-4 lg:sticky lg:top-0">
          <PackFigures ahead={ahead} asked={asked !== undefined} />
          {ahead.data?.refusal && <WhatFits form={form} fits={ahead.data.fits} />}
        </div>
      }
    >
      <Terms form={form} pack={pack} series={ahead.data?.fits.series ?? []} />
      <PackShares form={form} tiers={tiersOf(pack)} typed={typed} pack={pack} />
      {(typed.acceptedLossCents !== '' || (ahead.data?.figures?.marginCents ?? 0) < 0) && (
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
  const words = adminTexts.useT().editing.pack
  const tiers = tiersOf(pack)
  const say = useSay({
    priceCents: t.amountUpTo(dollars(highestPackPriceCents)),
    itemsPerPack: t.between(1, mostItemsPerPack),
    supply: t.between(unlimited, mostSupply),
    acceptedLossCents: t.amountUpTo(dollars(highestAcceptedLossCents)),
    ...Object.fromEntries(tiers.map((_, at) => [`share${at}`, words.wrongShare])),
  })
  return useForm({ schema: packSchema(tiers), typed: typedPack(pack), say })
}

/** Sends a new pack, or what is other in one. */
function useSaving(form: PackForm, pack: AdminPack | undefined, onClose: () => void) {
  const t = adminTexts.useT().admin
  const words = adminTexts.useT().editing
  const language = useLanguage()
  const failed = useFailed()
  const onDone = ({ leftOut, announced, approval }: MadePack) => {
    const notes = [
      approval && t.waitsForSecond,
      announced && words.inForce(dateTime(announced.effectiveAt, language)),
      leftOut.length > 0 && t.leftOut(namesOf(leftOut, t.andMore)),
    ].filter(Boolean)
    toast({ title: pack ? words.saved : t.packCreated, ...(notes.length > 0 && { description: notes.join(' ') }) })
    onClose()
  }
  const onFailed = (error: Error) => {
    form.refuse(error)
    if (shortfallOf(error)) form.setError('priceCents', { message: 'loses' })
    failed(error)
  }
  const creating = useCreatePack({ onDone, onFailed })
  const editing = useEditPack({ onDone, onFailed })
  function submit(body: Parameters<typeof changeOf>[1]) {
    if (!pack) return creating.mutate(body)
    const was = packSchema(tiersOf(pack)).parse(typedPack(pack))
    const change = changeOf(was, body)
    if (Object.keys(change).length === 0) toast({ title: words.unchanged })
    else editing.mutate({ id: pack.id, ...change })
  }
  return { submit, pending: creating.isPending || editing.isPending }
}

interface TermsProps {
  form: PackForm
  pack: AdminPack | undefined
  /** Those that a refusal has named. */
  series: readonly string[]
}

/** What it is called, costs and yields, and of what. */
function Terms({ form, pack, series }: TermsProps) {
  const t = adminTexts.useT().admin
  const words = adminTexts.useT().editing.pack
  return (
    <>
      <Field form={form} name="name" label={t.name} className="col-span-2">
        {(control) => <Input {...control} maxLength={terms.longestPackName} autoComplete="off" />}
      </Field>
      <NumberField form={form} name="priceCents" label={t.priceDollars} kind={numberKinds.money} />
      <NumberField form={form} name="itemsPerPack" label={t.itemsPerPack} kind={numberKinds.whole} />
      <DrawsFrom form={form} more={[...(pack ? [pack.wanted.series.join('\n')] : []), ...series]} />
      <NumberField form={form} name="supply" label={t.supply} kind={numberKinds.signedWhole} />
      <Field form={form} name="coverImageUrl" label={t.coverUrl} className={pack ? '' : 'col-span-2'}>
        {(control) => (
          <Input
            {...control}
            type="url"
            maxLength={terms.longestPicture}
            placeholder={t.drawnPicture}
            autoComplete="off"
          />
        )}
      </Field>
      {pack && (
        <Field form={form} name="isActive" label={words.state}>
          {(control) => (
            <Select {...control} className="w-full">
              <option value="true">{words.onSale}</option>
              <option value="false">{words.offSale}</option>
            </Select>
          )}
        </Field>
      )}
    </>
  )
}

/** The series that the pack can draw from; several of one pack stand in one line. */
function DrawsFrom({ form, more }: { form: PackForm; more: readonly string[] }) {
  const t = adminTexts.useT().admin
  const all = new Set([...config.catalogue.series, ...more].filter(Boolean))
  return (
    <Field form={form} name="series" label={t.drawsFrom}>
      {(control) => (
        <Select {...control} className="w-full">
          <option value="">{t.allSeries}</option>
          {[...all].map((series) => (
            <option key={series} value={series}>
              {series.split('\n').join(', ')}
            </option>
          ))}
        </Select>
      )}
    </Field>
  )
}
