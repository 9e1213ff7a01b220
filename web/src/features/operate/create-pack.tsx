import { type NewPack, useCreatePack } from '@/api/admin'
import { operateTexts } from './texts'
import type { MadePack } from '@/lib/contract/types'
import { terms } from '@/lib/config'
import { textOf } from '@/lib/form-text'
import { priceCents } from '@/lib/price'
import { toast } from '@/lib/toast'
import { Input } from '@/ui/input'
import { Select } from '@/ui/select'
import { Field, FormDialog } from './form'
import { fittingSeries, shortfallOf, useFailed, useReasons } from './refusal'
import { knownSeries } from './series'
import { WhatFits } from './what-fits'

/** The odds of every pack made here (specification, section 5). */
const shares = { Common: 0.6, Rare: 0.25, Epic: 0.1, Legendary: 0.04, Mythic: 0.01 }
const usualItems = 5
const unlimited = -1

/** Puts a new pack on sale. The refusal of one that cannot go on sale as it is brings what would pass. */
export default function CreatePack({ onClose }: { onClose: () => void }) {
  const t = operateTexts.useT()
  const { fail, failWith } = useFailed()
  const creating = useCreatePack({
    onDone: ({ leftOut }) => {
      toast({
        title: t.packCreated,
        ...(leftOut.length > 0 && { description: t.leftOut(namesOf(leftOut, t.andMore)) }),
      })
      onClose()
    },
    onFailed: failWith,
  })
  const why = useReasons(creating.error)
  const fitting = fittingSeries(creating.error)
  const shortfall = shortfallOf(creating.error)

  function submit(fields: FormData) {
    const pack = newPack(fields)
    if (pack) creating.mutate(pack)
    else fail(t.invalidValue)
  }

  return (
    <FormDialog
      title={t.createPack}
      text={t.createPackText}
      pending={creating.isPending}
      onSubmit={submit}
      onClose={onClose}
    >
      <Field label={t.name} reason={why('name')} wide>
        {(control) => <Input {...control} name="name" required maxLength={terms.longestPackName} autoComplete="off" />}
      </Field>
      <Field label={t.priceDollars} reason={shortfall ? t.priceTooLow : why('priceCents')}>
        {(control) => <Input {...control} name="price" type="number" min={0.01} step={0.01} required />}
      </Field>
      <Field label={t.itemsPerPack} reason={why('lootTableJson')}>
        {(control) => (
          <Input
            {...control}
            name="items"
            type="number"
            min={1}
            max={terms.mostItemsPerPack}
            step={1}
            defaultValue={usualItems}
            required
          />
        )}
      </Field>
      <DrawsFrom more={fitting} reason={why('series')} />
      <Field label={t.supply} reason={why('supply')}>
        {(control) => (
          <Input {...control} name="supply" type="number" min={unlimited} step={1} defaultValue={unlimited} />
        )}
      </Field>
      <Field label={t.coverUrl} reason={why('coverImageUrl')} wide>
        {(control) => (
          <Input
            {...control}
            name="cover"
            type="url"
            maxLength={terms.longestPicture}
            placeholder={t.drawnPicture}
            autoComplete="off"
          />
        )}
      </Field>
      {fitting && <WhatFits series={fitting} shortfall={shortfall} />}
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
function DrawsFrom({ more = [], reason }: { more: readonly string[] | undefined; reason: string | undefined }) {
  const t = operateTexts.useT()
  return (
    <Field label={t.drawsFrom} reason={reason}>
      {(control) => (
        <Select {...control} name="series" className="w-full">
          <option value="">{t.allSeries}</option>
          {[...new Set([...knownSeries, ...more])].map((series) => (
            <option key={series} value={series}>
              {series}
            </option>
          ))}
        </Select>
      )}
    </Field>
  )
}

function newPack(fields: FormData): NewPack | undefined {
  const price = priceCents(textOf(fields, 'price'))
  const typedLoss = textOf(fields, 'loss')
  const loss = priceCents(typedLoss)
  if (price === undefined || (typedLoss && loss === undefined)) return undefined
  const supply = textOf(fields, 'supply')
  const series = textOf(fields, 'series')
  const coverImageUrl = textOf(fields, 'cover')
  return {
    name: textOf(fields, 'name'),
    priceCents: price,
    lootTableJson: { rarities: shares, itemsPerPack: Number(textOf(fields, 'items')) },
    supply: supply ? Number(supply) : unlimited,
    isActive: true,
    ...(series && { series: [series] }),
    ...(coverImageUrl && { coverImageUrl }),
    ...(loss !== undefined && { acceptedLossCents: loss }),
  }
}
