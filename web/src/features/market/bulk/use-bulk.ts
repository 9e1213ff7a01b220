import { useState } from 'react'
import { useOfferMany } from '@/api/marketplace'
import { useT } from '@/i18n'
import { errorText } from '@/i18n/error-text'
import { ApiError } from '@/contract/error'
import { type FarPrice, farLines, farPrice } from '@/contract/far-price'
import { namedLines } from '@/contract/lines'
import { dollars } from '@/lib/format'
import { toast } from '@/lib/toast'
import { tellSeller } from '../tell-seller'
import { marketTexts } from '../texts'

/** What is done with several at once. */
export type BulkAct = 'list' | 'reprice' | 'delist'

export interface BulkLine {
  inventoryId: string
  priceCents: number
}

interface Bulk {
  send: (lines: readonly BulkLine[]) => void
  pending: boolean
  /** The lines whose prices are asked about again, and why. */
  far: ReadonlyMap<string, FarPrice>
  /** The lines for which all was refused, and why. */
  wrong: ReadonlyMap<string, string>
  /** Forgets what was refused: something else is asked for. */
  forget: () => void
}

const none: ReadonlyMap<string, never> = new Map<string, never>()

/** Does an act with several entries, all or none, and says what became of it. Far prices are meant when sent again. */
export function useBulk(act: BulkAct, onDone: (ids: readonly string[]) => void): Bulk {
  const texts = useT()
  const t = marketTexts.useT().bulk
  const { errors } = marketTexts.useT().selling
  const [far, setFar] = useState<Bulk['far']>(none)
  const [wrong, setWrong] = useState<Bulk['wrong']>(none)
  const words: Partial<Record<string, string>> = errors
  const doing = useOfferMany(act, {
    onDone: ({ entries, sold }, { lines }) => {
      const left = sold.reduce((sum, { priceCents, feeCents }) => sum + priceCents - feeCents, 0)
      const title = entries.length > 0 ? t.done[act](entries.length) : t.sold(sold.length, dollars(left))
      const both = entries.length > 0 && sold.length > 0
      toast(both ? { title, description: t.sold(sold.length, dollars(left)) } : { title })
      onDone(lines.map(({ inventoryId }) => inventoryId))
    },
    onFailed: (error, { lines }) => {
      const ids = lines.map(({ inventoryId }) => inventoryId)
      const [asked, refused] = [farOf(error, ids), namedLines(error, ids)]
      setFar(asked)
      const why = error instanceof ApiError ? words[error.code] : undefined
      setWrong(asked.size > 0 ? none : new Map(refused.map((id) => [id, why ?? errorText(error, texts)])))
      if (asked.size === 0 && refused.length === 0) void tellSeller(t.failed, error, texts)
    },
  })
  return {
    send: (lines) => doing.mutate({ lines: lines.map((line) => bodyOf(line, act, far.has(line.inventoryId))) }),
    pending: doing.isPending,
    far,
    wrong,
    forget: () => {
      setFar(none)
      setWrong(none)
    },
  }
}

function bodyOf({ inventoryId, priceCents }: BulkLine, act: BulkAct, meant: boolean) {
  if (act === 'delist') return { inventoryId }
  return { inventoryId, priceCents, ...(meant && { confirmedCents: priceCents }) }
}

/** One line alone is asked about as it would be by itself. */
function farOf(error: unknown, [id = '', ...more]: readonly string[]): ReadonlyMap<string, FarPrice> {
  const one = more.length === 0 && farPrice(error)
  return one ? new Map([[id, one]]) : farLines(error)
}
