import { type FormEvent, useId, useState } from 'react'
import { useMyListings } from '@/api/inventory'
import { numberKinds } from '@/lib/parse-number'
import { terms } from '@/lib/config'
import { dollars } from '@/lib/format'
import { useSignedIn } from '@/lib/session'
import { toast } from '@/lib/toast'
import { wholeNumber } from '@/lib/field-parsers'
import { Button } from '@/components/ui/button'
import { NumberInput } from '@/components/ui/form/number-input'
import { marketTexts } from '../texts'
import { type CartLine, useCart } from './cart'
import CartButton from './cart-button'

const atFirst = 3

/** Puts the cheapest of an item's listings into the cart, as many as somebody says; `lines` are in order of price. */
export default function Sweep({ lines }: { lines: readonly CartLine[] }) {
  const t = marketTexts.useT().cart
  const mine = useSignedIn()
  const own = useMyListings().data ?? []
  const cart = useCart()
  const id = useId()
  const [typed, setTyped] = useState<string>()
  const taken = new Set([...own.map((entry) => entry.id), ...cart.lines.map(({ inventoryId }) => inventoryId)])
  const room = terms.mostInCart - cart.lines.length
  const free = lines.filter(({ inventoryId }) => !taken.has(inventoryId)).slice(0, room)
  const shown = typed ?? String(Math.min(atFirst, free.length))
  const count = Math.min(wholeNumber(1, terms.mostInCart)(shown) ?? 0, free.length)
  const cheapest = free.slice(0, count)
  if (!mine) return null
  function submit(event: FormEvent) {
    event.preventDefault()
    if (count > 0) toast({ title: t.sweep.done(cart.add(cheapest)) })
  }
  return (
    <form noValidate onSubmit={submit} className="mt-4 flex flex-wrap items-center gap-2">
      {free.length > 0 && (
        <>
          <label htmlFor={id} className="sr-only">
            {t.sweep.count}
          </label>
          <NumberInput
            id={id}
            kind={numberKinds.whole}
            value={shown}
            onChange={({ currentTarget }) => setTyped(currentTarget.value)}
            className="h-8 w-16 px-2.5 text-[0.8125rem]"
          />
          <Button type="submit" variant="secondary" size="sm" disabled={count === 0}>
            {t.sweep.button(count, dollars(cheapest.reduce((sum, { priceCents }) => sum + priceCents, 0)))}
          </Button>
        </>
      )}
      <CartButton size="sm" />
    </form>
  )
}
