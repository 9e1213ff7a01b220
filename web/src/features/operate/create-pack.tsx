import { operateTexts } from './texts'
import { useCreatePack } from '@/api/admin'
import type { MadePack } from '@/lib/contract/types'
import { config, terms } from '@/lib/config'
import { dollars } from '@/lib/format'
import { toast } from '@/lib/toast'
import { Field } from '@/ui/form/field'
import { useForm } from '@/ui/form/use-form'
import { Input } from '@/ui/input'
import { Select } from '@/ui/select'
import { FormDialog } from './form-dialog'
import { emptyPack, newPack, type PackForm, unlimited } from './new-pack'
import { fittingSeries, shortfallOf, useFailed, useSay } from './refusal'
import { WhatFits } from './what-fits'

const { highestPackPriceCents, highestAcceptedLossCents, mostItemsPerPack, mostSupply } = terms

/** Puts a new pack on sale. The refusal of one that cannot go on sale as it is brings what would pass. */
export default function CreatePack({ onClose }: { onClose: () => void }) {
  const t = operateTexts.useT()
  const failed = useFailed()
  const say = useSay({
    priceCents: t.amountUpTo(dollars(highestPackPriceCents)),
    lootTableJson: t.between(1, mostItemsPerPack),
    supply: t.between(unlimited, mostSupply),
    acceptedLossCents: t.amountUpTo(dollars(highestAcceptedLossCents)),
  })
  const form = useForm({ schema: newPack, typed: emptyPack, say })
  const creating = useCreatePack({
    onDone: ({ leftOut }) => {
      toast({
        title: t.packCreated,
        ...(leftOut.length > 0 && { description: t.leftOut(namesOf(leftOut, t.andMore)) }),
      })
      onClose()
    },
    onFailed: (error) => {
      form.refuse(error)
      if (shortfallOf(error)) form.setError('priceCents', { message: 'loses' })
      failed(error)
    },
  })
  const fitting = fittingSeries(creating.error)

  return (
    <FormDialog
      title={t.createPack}
      text={t.createPackText}
      form={form}
      pending={creating.isPending}
      onSubmit={(pack) => creating.mutate({ ...pack, isActive: true })}
      onClose={onClose}
    >
      <Field form={form} name="name" label={t.name} className="col-span-2">
        {(control) => <Input {...control} maxLength={terms.longestPackName} autoComplete="off" />}
      </Field>
      <Field form={form} name="priceCents" label={t.priceDollars}>
        {(control) => <Input {...control} type="number" min={0.01} step={0.01} />}
      </Field>
      <Field form={form} name="lootTableJson" label={t.itemsPerPack}>
        {(control) => <Input {...control} type="number" min={1} max={mostItemsPerPack} step={1} />}
      </Field>
      <DrawsFrom form={form} more={fitting} />
      <Field form={form} name="supply" label={t.supply}>
        {(control) => <Input {...control} type="number" min={unlimited} step={1} />}
      </Field>
      <Field form={form} name="coverImageUrl" label={t.coverUrl} className="col-span-2">
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
      {fitting && <WhatFits form={form} series={fitting} shortfall={shortfallOf(creating.error)} />}
    </FormDialog>
  )
}

/** As many names as fit into a toast. */
const mostNames = 3

function namesOf(cards: MadePack['leftOut'], andMore: (names: string, more: number) => string): string {
  const names = cards
    .slice(0, mostNames)
    .map(({ name }) => name)
    .join(', ')
  return cards.length > mostNames ? andMore(names, cards.length - mostNames) : names
}

/** The series that the pack can draw from; more are those that a refusal has named. */
function DrawsFrom({ form, more = [] }: { form: PackForm; more: readonly string[] | undefined }) {
  const t = operateTexts.useT()
  return (
    <Field form={form} name="series" label={t.drawsFrom}>
      {(control) => (
        <Select {...control} className="w-full">
          <option value="">{t.allSeries}</option>
          {[...new Set([...config.catalogue.series, ...more])].map((series) => (
            <option key={series} value={series}>
              {series}
            </option>
          ))}
        </Select>
      )}
    </Field>
  )
}
