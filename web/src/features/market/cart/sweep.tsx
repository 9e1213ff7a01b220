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
import { type CartItem, useCart } from './cart'
import CartButton from './cart-button'

const defaultCount = 3

/** Adds an item's cheapest listings to the cart, as many as the user types. `lines` are sorted by price. */
export default function Sweep({ lines }: { lines: readonly CartItem[] }) {
  const t = marketTexts.useT().cart
  const signedIn = useSignedIn()
  const own = useMyListings().data ?? []
  const cart = useCart()
  const id = useId()
  const [input, setInput] = useState<string>()
  const excluded = new Set([...own.map((entry) => entry.id), ...cart.lines.map(({ inventoryId }) => inventoryId)])
  const room = terms.mostInCart - cart.lines.length
  const available = lines.filter(({ inventoryId }) => !excluded.has(inventoryId)).slice(0, room)
  const text = input ?? String(Math.min(defaultCount, available.length))
  const count = Math.min(wholeNumber(1, terms.mostInCart)(text) ?? 0, available.length)
  const cheapest = available.slice(0, count)
  if (!signedIn) return null
  function submit(event: FormEvent) {
    event.preventDefault()
    if (count > 0) toast({ title: t.sweep.done(cart.add(cheapest)) })
  }
  return (
    <form noValidate onSubmit={submit} className="mt-4 flex flex-wrap items-center gap-2">
      {available.length > 0 && (
        <>
          <label htmlFor={id} className="sr-only">
            {t.sweep.count}
          </label>
          <NumberInput
            id={id}
            kind={numberKinds.whole}
            value={text}
            onChange={({ currentTarget }) => setInput(currentTarget.value)}
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
