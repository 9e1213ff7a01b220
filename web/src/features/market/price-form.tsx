import { type FormEvent, useId, useState } from 'react'
import { sellingTexts } from './texts/selling'
import { terms } from '@/lib/config'
import { dollars } from '@/lib/format'
import { priceCents } from '@/lib/price'
import { toast } from '@/lib/toast'
import { Button } from '@/ui/button'
import { Input } from '@/ui/input'
import { Spinner } from '@/ui/spinner'
import { afterFee } from './fee'

interface PriceFormProps {
  /** What stands in the field at first. */
  typed?: string
  confirm: string
  confirming: string
  pending: boolean
  onPrice: (cents: number) => void
  onCancel: () => void
}

/** Asks for a price and says what the seller will get of it. */
export function PriceForm({ typed = '', confirm, confirming, pending, onPrice, onCancel }: PriceFormProps) {
  const t = sellingTexts.useT()
  const [text, setText] = useState(typed)
  const id = useId()
  const cents = priceCents(text)

  function submit(event: FormEvent) {
    event.preventDefault()
    if (pending) return
    if (cents === undefined) {
      toast({ title: t.invalidPrice, description: t.invalidPriceText, variant: 'destructive' })
    } else {
      onPrice(cents)
    }
  }

  return (
    <form noValidate onSubmit={submit} className="space-y-4">
      <div>
        <label htmlFor={id} className="text-sm font-medium">
          {t.price}
        </label>
        <Input
          id={id}
          type="number"
          inputMode="decimal"
          step={0.01}
          placeholder={t.pricePlaceholder}
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
          aria-describedby={`${id}fee`}
          className="mt-1.5"
        />
        <p id={`${id}fee`} className="mt-2 text-sm text-muted-foreground">
          {cents === undefined
            ? t.receiveNothing(terms.feePercent)
            : t.receive(dollars(afterFee(cents)), terms.feePercent)}
        </p>
      </div>
      <div className="flex justify-end gap-3">
        <Button variant="secondary" onClick={onCancel}>
          {t.cancel}
        </Button>
        <Button type="submit" disabled={text === '' || pending}>
          {pending && <Spinner />}
          {pending ? confirming : confirm}
        </Button>
      </div>
    </form>
  )
}
