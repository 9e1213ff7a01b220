import { useState } from 'react'
import { useOfferMany } from '@/api/marketplace'
import { useT } from '@/i18n'
import { errorText } from '@/i18n/error-text'
import { ApiError } from '@/contract/error'
import { type FarPrice, farLines, farPrice } from '@/contract/far-price'
import { namedLines } from '@/contract/lines'
import { dollars } from '@/lib/format'
import { toast } from '@/lib/toast'
import { showSellerError } from '../seller-error'
import { marketTexts } from '../texts'

export type BulkAct = 'list' | 'reprice' | 'delist'

export interface BulkLine {
  inventoryId: string
  priceCents: number
}

interface Bulk {
  send: (lines: readonly BulkLine[]) => void
  pending: boolean
  /** The prices that the server asks to confirm, by entry. */
  far: ReadonlyMap<string, FarPrice>
  /** Why lines made the server refuse all of them, by entry. */
  errors: ReadonlyMap<string, string>
  /** Called when the lines change. */
  clearErrors: () => void
}

const none: ReadonlyMap<string, never> = new Map<string, never>()

/** Lists, reprices or delists several entries, all or none, and shows the outcome. Sending far prices again confirms them. */
export function useBulk(act: BulkAct, onDone: (ids: readonly string[]) => void): Bulk {
  const texts = useT()
  const t = marketTexts.useT().bulk
  const errorTexts: Partial<Record<string, string>> = marketTexts.useT().selling.errors
  const [far, setFar] = useState<Bulk['far']>(none)
  const [errors, setErrors] = useState<Bulk['errors']>(none)
  const changing = useOfferMany(act, {
    onDone: ({ entries, sold }, { lines }) => {
      const received = sold.reduce((sum, { priceCents, feeCents }) => sum + priceCents - feeCents, 0)
      const title = entries.length > 0 ? t.done[act](entries.length) : t.sold(sold.length, dollars(received))
      const both = entries.length > 0 && sold.length > 0
      toast(both ? { title, description: t.sold(sold.length, dollars(received)) } : { title })
      onDone(lines.map(({ inventoryId }) => inventoryId))
    },
    onFailed: (error, { lines }) => {
      const ids = lines.map(({ inventoryId }) => inventoryId)
      const [farPrices, refused] = [farOf(error, ids), namedLines(error, ids)]
      setFar(farPrices)
      const text = error instanceof ApiError ? errorTexts[error.code] : undefined
      setErrors(farPrices.size > 0 ? none : new Map(refused.map((id) => [id, text ?? errorText(error, texts)])))
      if (farPrices.size === 0 && refused.length === 0) void showSellerError(t.failed, error, texts)
    },
  })
  return {
    send: (lines) => changing.mutate({ lines: lines.map((line) => bodyOf(line, act, far.has(line.inventoryId))) }),
    pending: changing.isPending,
    far,
    errors,
    clearErrors: () => {
      setFar(none)
      setErrors(none)
    },
  }
}

function bodyOf({ inventoryId, priceCents }: BulkLine, act: BulkAct, confirmed: boolean) {
  if (act === 'delist') return { inventoryId }
  return { inventoryId, priceCents, ...(confirmed && { confirmedCents: priceCents }) }
}

/** For a single line the error has the form of a single call. */
function farOf(error: unknown, [id = '', ...otherIds]: readonly string[]): ReadonlyMap<string, FarPrice> {
  const singlePrice = otherIds.length === 0 && farPrice(error)
  return singlePrice ? new Map([[id, singlePrice]]) : farLines(error)
}
