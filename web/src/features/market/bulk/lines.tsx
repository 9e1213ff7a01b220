import { ItemCard } from '@/components/item-card'
import type { ShownItem } from '@/components/shown-item'
import type { FarPrice } from '@/contract/far-price'
import { dollars } from '@/lib/format'
import { useRates } from '@/api/rates'
import { afterFee } from '@/components/fee'
import { marketTexts } from '../texts'
import type { Priced } from './price'

/** An entry of the visitor's that something is done with. */
export type BulkEntry = ShownItem & Priced & { inventoryId: string; state: string }

/** An entry, and the price that it is to get. */
export interface PreviewLine {
  entry: BulkEntry
  /** Undefined where there is none that can be asked. */
  priceCents: number | undefined
  /** What the best bid for it pays, where that is known. */
  bestBidCents?: number | undefined
  far?: FarPrice | undefined
  wrong?: string | undefined
}

/** Whether the best bid takes it at once. */
export function sellsAtOnce({ priceCents, bestBidCents = 0 }: PreviewLine): boolean {
  return priceCents !== undefined && priceCents <= bestBidCents
}

/** What becomes of each. */
export function Lines({ lines, delisting }: { lines: readonly PreviewLine[]; delisting: boolean }) {
  const t = marketTexts.useT().bulk
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls must be reached by keyboard
    <div tabIndex={0} role="group" aria-label={t.lines} className={frame}>
      <ul className="divide-y divide-line">
        {lines.map((line) => (
          <li key={line.entry.inventoryId} className="flex items-center gap-4 py-2.5">
            <ItemCard item={line.entry} look="row" pictureClassName="h-14" className="min-w-0 flex-1">
              <p className="mt-1 text-xs text-muted-foreground tabular-nums">
                {t.value(dollars(line.entry.baseValueCents))}
              </p>
              <Remark line={line} />
            </ItemCard>
            <Price line={line} delisting={delisting} />
          </li>
        ))}
      </ul>
    </div>
  )
}

/** As high as the window leaves room for. */
const frame = '-mx-1 max-h-[max(11rem,100dvh-27rem)] overflow-y-auto rounded-xl px-1'

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

/** What there is to know of it before it is done. */
function Remark({ line }: { line: PreviewLine }) {
  const t = marketTexts.useT().bulk
  const { bid } = useRates()
  const { priceCents, bestBidCents = 0, far, wrong } = line
  const look = 'mt-1 text-xs text-pretty'
  if (wrong) return <p className={`${look} text-destructive-text`}>{wrong}</p>
  if (far) {
    return (
      <p className={`${look} text-destructive-text`}>
        {(priceCents ?? 0) < far.houseCents ? t.farBelow(dollars(far.houseCents)) : t.farAbove}
      </p>
    )
  }
  if (!sellsAtOnce(line)) return null
  return (
    <p className={`${look} text-positive-text`}>
      {t.toBid(dollars(bestBidCents), dollars(afterFee(bestBidCents, bid)))}
    </p>
  )
}
