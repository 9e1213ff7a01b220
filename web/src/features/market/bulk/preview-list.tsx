import { ItemCard } from '@/components/item-card'
import type { ShownItem } from '@/components/shown-item'
import type { FarPrice } from '@/contract/far-price'
import { dollars } from '@/lib/format'
import { ScrollRegion } from '@/components/ui/scroll-region'
import { useRates } from '@/api/rates'
import { afterFee } from '@/components/fee'
import { marketTexts } from '../texts'
import type { PricedEntry } from './pricing-rule'

/** An entry in a bulk action. */
export type BulkEntry = ShownItem & PricedEntry & { inventoryId: string; state: string }

/** An entry with its new price. */
export interface PreviewLine {
  entry: BulkEntry
  /** Undefined if the rule gives no valid price. */
  priceCents: number | undefined
  bestBidCents?: number | undefined
  far?: FarPrice | undefined
  /** Why this line made the server refuse all of them. */
  error?: string | undefined
}

/** Whether the price is at or below the best bid, which then fills right away. */
export function sellsToBid({ priceCents, bestBidCents = 0 }: PreviewLine): boolean {
  return priceCents !== undefined && priceCents <= bestBidCents
}

export function PreviewList({ lines, delisting }: { lines: readonly PreviewLine[]; delisting: boolean }) {
  const t = marketTexts.useT().bulk
  return (
    <ScrollRegion aria-label={t.lines} className={height}>
      <ul className="divide-y divide-line">
        {lines.map((line) => (
          <li key={line.entry.inventoryId} className="flex items-center gap-4 py-2.5">
            <ItemCard item={line.entry} layout="row" pictureClassName="h-14" className="min-w-0 flex-1">
              <p className="mt-1 text-xs text-muted-foreground tabular-nums">
                {t.value(dollars(line.entry.baseValueCents))}
              </p>
              <LineNote line={line} />
            </ItemCard>
            <Price line={line} delisting={delisting} />
          </li>
        ))}
      </ul>
    </ScrollRegion>
  )
}

/** As high as the window allows. */
const height = 'max-h-[max(11rem,100dvh-27rem)]'

function Price({ line: { entry, priceCents }, delisting }: { line: PreviewLine; delisting: boolean }) {
  const t = marketTexts.useT().bulk
  const before = entry.salePriceCents
  if (delisting) return <p className={priceLook}>{before != null && dollars(before)}</p>
  return (
    <p className={priceLook}>
      {priceCents === undefined ? (
        <span className="font-normal text-muted-foreground">{t.noPrice}</span>
      ) : (
        <span>{dollars(priceCents)}</span>
      )}
      {before != null && (
        <span className="block text-xs font-normal text-muted-foreground">{t.was(dollars(before))}</span>
      )}
    </p>
  )
}

const priceLook = 'shrink-0 text-right text-sm font-semibold tabular-nums'

/** A line's error, price warning or instant sale. */
function LineNote({ line }: { line: PreviewLine }) {
  const t = marketTexts.useT().bulk
  const { bid } = useRates()
  const { priceCents, bestBidCents = 0, far, error } = line
  const classes = 'mt-1 text-xs text-pretty'
  if (error) return <p className={`${classes} text-destructive-text`}>{error}</p>
  if (far) {
    return (
      <p className={`${classes} text-destructive-text`}>
        {(priceCents ?? 0) < far.houseCents ? t.farBelow(dollars(far.houseCents)) : t.farAbove}
      </p>
    )
  }
  if (!sellsToBid(line)) return null
  return (
    <p className={`${classes} text-positive-text`}>
      {t.toBid(dollars(bestBidCents), dollars(afterFee(bestBidCents, bid)))}
    </p>
  )
}
