import { useState } from 'react'
import { useBuyCart } from '@/api/marketplace'
import { useT } from '@/i18n'
import { errorText } from '@/i18n/error-text'
import { ApiError, unanswered } from '@/contract/error'
import { namedLines } from '@/contract/lines'
import { dollars } from '@/lib/format'
import { toast } from '@/lib/toast'
import { marketTexts } from '../texts'
import { type CartLine, useCart } from './cart'

interface Checkout {
  /** Some of the cart's lines, all of these or what can be bought of them. */
  buy: (wanted: readonly CartLine[], partial: boolean) => void
  pending: boolean
  /** The lines that were not bought, with the code of why. */
  skipped: ReadonlyMap<string, string>
  /** Forgets why some lines were not bought: they are gone, or are wanted for another price. */
  forget: (ids: readonly string[]) => void
}

/** Buys the cart, all of it or what can be bought, and says what became of it. */
export function useCheckout(onBought: () => void): Checkout {
  const texts = useT()
  const t = marketTexts.useT().cart
  const { buyFailed, buyUnsure } = marketTexts.useT().trade
  const { lines, remove } = useCart()
  const [skipped, setSkipped] = useState<ReadonlyMap<string, string>>(new Map())
  // Of what was not asked for again it stays as it was.
  function tell(asked: readonly { inventoryId: string }[], why: ReadonlyMap<string, string>) {
    const again = new Set(asked.map(({ inventoryId }) => inventoryId))
    setSkipped((before) => new Map([...[...before].filter(([id]) => !again.has(id)), ...why]))
  }
  const buying = useBuyCart({
    onDone: (answer, asked) => {
      const [bought, left] = [answer.bought.length, answer.skipped.length]
      remove(answer.bought.map(({ inventoryId }) => inventoryId))
      tell(asked.lines, new Map(answer.skipped.map(({ inventoryId, code }) => [inventoryId, code])))
      if (bought > 0) toast({ title: t.bought(bought, dollars(answer.totalCents)), description: t.boughtText(left) })
      else toast({ title: t.none, description: t.noneText, variant: 'destructive' })
      if (left === 0 && asked.lines.length === lines.length) onBought()
    },
    onFailed: (error, asked) => {
      const named = namedLines(
        error,
        asked.lines.map(({ inventoryId }) => inventoryId),
      )
      tell(asked.lines, new Map(named.map((id) => [id, error instanceof ApiError ? error.code : ''])))
      const why = errorText(error, texts)
      const description = unanswered(error) ? `${why} ${buyUnsure}` : why
      toast({ title: buyFailed, description, variant: 'destructive' })
    },
  })
  return {
    buy: (wanted, partial) =>
      buying.mutate({
        lines: wanted.map(({ inventoryId, priceCents }) => ({ inventoryId, expectedPriceCents: priceCents })),
        partial,
      }),
    pending: buying.isPending,
    skipped,
    forget: (ids) => setSkipped((before) => new Map([...before].filter(([id]) => !ids.includes(id)))),
  }
}
