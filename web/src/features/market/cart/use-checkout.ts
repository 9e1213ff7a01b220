import { useState } from 'react'
import { useBuyCart } from '@/api/marketplace'
import { useT } from '@/i18n'
import { errorText } from '@/i18n/error-text'
import { ApiError, unanswered } from '@/contract/error'
import { namedLines } from '@/contract/lines'
import { points } from '@/lib/format'
import { toast } from '@/lib/toast'
import { marketTexts } from '../texts'
import { type CartItem, useCart } from './cart'

interface Checkout {
  /** Buys all lines or none; with `partial`, those that are available. */
  buy: (items: readonly CartItem[], partial: boolean) => void
  pending: boolean
  /** The error codes of lines that weren't bought, by entry. */
  skipped: ReadonlyMap<string, string>
  /** Called when lines are removed or repriced. */
  clearReasons: (ids: readonly string[]) => void
}

/** Buys the cart and shows the outcome. */
export function useCheckout(onBought: () => void): Checkout {
  const texts = useT()
  const t = marketTexts.useT().cart
  const { buyFailed, buyUnsure } = marketTexts.useT().trade
  const { lines, remove } = useCart()
  const [skipped, setSkipped] = useState<ReadonlyMap<string, string>>(new Map())
  /** Replaces the reasons of the lines just tried and keeps those of other lines. */
  function updateSkipped(tried: readonly { inventoryId: string }[], reasons: ReadonlyMap<string, string>) {
    const triedIds = new Set(tried.map(({ inventoryId }) => inventoryId))
    setSkipped((before) => new Map([...[...before].filter(([id]) => !triedIds.has(id)), ...reasons]))
  }
  const buying = useBuyCart({
    onDone: (result, request) => {
      const [bought, skippedCount] = [result.bought.length, result.skipped.length]
      remove(result.bought.map(({ inventoryId }) => inventoryId))
      updateSkipped(request.lines, new Map(result.skipped.map(({ inventoryId, code }) => [inventoryId, code])))
      if (bought > 0)
        toast({ title: t.bought(bought, points(result.totalCents)), description: t.boughtText(skippedCount) })
      else toast({ title: t.none, description: t.noneText, variant: 'destructive' })
      if (skippedCount === 0 && request.lines.length === lines.length) onBought()
    },
    onFailed: (error, request) => {
      const named = namedLines(
        error,
        request.lines.map(({ inventoryId }) => inventoryId),
      )
      updateSkipped(request.lines, new Map(named.map((id) => [id, error instanceof ApiError ? error.code : ''])))
      const reason = errorText(error, texts)
      const description = unanswered(error) ? `${reason} ${buyUnsure}` : reason
      toast({ title: buyFailed, description, variant: 'destructive' })
    },
  })
  return {
    buy: (items, partial) =>
      buying.mutate({
        lines: items.map(({ inventoryId, priceCents }) => ({ inventoryId, expectedPriceCents: priceCents })),
        partial,
      }),
    pending: buying.isPending,
    skipped,
    clearReasons: (ids) => setSkipped((before) => new Map([...before].filter(([id]) => !ids.includes(id)))),
  }
}
