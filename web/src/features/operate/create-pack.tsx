import { useState } from 'react'
import { useT } from '@/i18n'
import { errorText } from '@/i18n/error-text'
import { operateTexts } from '@/i18n/operate'
import { ApiError } from '@/lib/api/client'
import { priceCents } from '@/lib/price'
import { toast } from '@/lib/toast'
import { Input } from '@/ui/input'
import { Select } from '@/ui/select'
import { type MadePack, type NewPack, useCreatePack } from './api/create'
import { Field, FormDialog, textOf } from './form'
import { knownSeries } from './series'

/** The odds of every pack made here (specification, section 5). */
const lootTable = {
  rarities: { Common: 0.6, Rare: 0.25, Epic: 0.1, Legendary: 0.04, Mythic: 0.01 },
  itemsPerPack: 5,
}
const unlimited = -1

/** Puts a new pack on sale. One that loses money by its odds needs an accepted loss, which is asked for then. */
export default function CreatePack({ onClose }: { onClose: () => void }) {
  const texts = useT()
  const t = operateTexts.useT()
  const [loses, setLoses] = useState(false)
  const fail = (description: string) => toast({ title: t.error, description, variant: 'destructive' })
  const creating = useCreatePack({
    onDone: ({ leftOut }) => {
      toast({ title: t.packCreated, ...(leftOut.length > 0 && { description: t.leftOut(namesOf(leftOut, t.andMore)) }) })
      onClose()
    },
    onFailed: (error) => {
      if (error instanceof ApiError && error.code === 'margin') setLoses(true)
      fail(errorText(error, texts))
    },
  })

  function submit(fields: FormData) {
    const pack = newPack(fields)
    if (pack) creating.mutate(pack)
    else fail(t.invalidValue)
  }

  return (
    <FormDialog title={t.createPack} text={t.createPackText} pending={creating.isPending} onSubmit={submit} onClose={onClose}>
      <Field label={t.name} wide>
        {(id) => <Input id={id} name="name" required maxLength={60} autoComplete="off" />}
      </Field>
      <Field label={t.priceDollars}>
        {(id) => <Input id={id} name="price" type="number" min={0.01} step={0.01} required />}
      </Field>
      <Field label={t.supply}>
        {(id) => <Input id={id} name="supply" type="number" min={-1} step={1} defaultValue={unlimited} />}
      </Field>
      <Field label={t.drawsFrom} wide>
        {(id) => (
          <Select id={id} name="series" className="w-full">
            <option value="">{t.allSeries}</option>
            {knownSeries.map((series) => (
              <option key={series} value={series}>
                {series}
              </option>
            ))}
          </Select>
        )}
      </Field>
      <Field label={t.coverUrl} wide>
        {(id) => <Input id={id} name="cover" type="url" maxLength={2000} placeholder={t.drawnPicture} autoComplete="off" />}
      </Field>
      {loses && (
        <Field label={t.acceptedLoss} wide>
          {(id) => <Input id={id} name="loss" type="number" min={0.01} step={0.01} required />}
        </Field>
      )}
    </FormDialog>
  )
}

/** As many names as fit into a toast. */
const mostNames = 3

function namesOf(cards: MadePack['leftOut'], andMore: (names: string, more: number) => string): string {
  const names = cards.slice(0, mostNames).map(({ name }) => name).join(', ')
  return cards.length > mostNames ? andMore(names, cards.length - mostNames) : names
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
    lootTableJson: lootTable,
    supply: supply ? Number(supply) : unlimited,
    isActive: true,
    ...(series && { series: [series] }),
    ...(coverImageUrl && { coverImageUrl }),
    ...(loss !== undefined && { acceptedLossCents: loss }),
  }
}
