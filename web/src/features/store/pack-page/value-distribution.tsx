import { storeTexts } from '../texts'
import type { PackDetail } from '@/contract/types'
import { cn } from '@/lib/cn'
import { percent, shortDollars } from '@/lib/format'
import { type Bar, distributionOf } from './distribution'

/** What an open is probably worth: a sentence, and a chart with a line at the price. */
export function ValueDistribution({ pack }: { pack: PackDetail }) {
  const t = storeTexts.useT().pack
  const { priceCents, distribution, beatsPriceChance, approximate, itemsPerPack } = pack
  const chart = distributionOf(distribution.buckets, priceCents)
  if (!chart) return null
  const price = shortDollars(priceCents)
  const lead = t.distributionLead({
    chance: percent(beatsPriceChance, 0),
    price,
    median: shortDollars(distribution.medianCents),
    cards: itemsPerPack,
    approximate,
  })
  return (
    <figure>
      <figcaption className="text-pretty">{lead}</figcaption>
      <div className="relative mt-2 pt-6" role="img" aria-label={t.distribution}>
        <p
          className="absolute top-0 -translate-x-1/2 text-xs whitespace-nowrap"
          style={{ left: `clamp(2.5rem, ${chart.price * 100}%, calc(100% - 2.5rem))` }}
        >
          {t.priceMark(price)}
        </p>
        <div className="relative h-20 border-b border-line-strong">
          {chart.bars.map((bar) => (
            <div
              key={bar.lowCents}
              title={t.bucket(rangeOf(bar), percent(bar.chance))}
              className="absolute inset-y-0 px-px"
              style={{ left: `${bar.left * 100}%`, width: `${bar.width * 100}%` }}
            >
              <div
                className={cn(
                  'absolute inset-x-px bottom-0 rounded-t-[2px]',
                  bar.beatsPrice ? 'bg-gold/80' : 'bg-common/50',
                )}
                style={{ height: bar.chance > 0 ? `max(2px, ${bar.height * 100}%)` : 0 }}
              />
            </div>
          ))}
          <div
            className="absolute -top-1.5 bottom-0 border-l border-dashed border-foreground"
            style={{ left: `${chart.price * 100}%` }}
          />
        </div>
      </div>
      <p aria-hidden className="mt-1.5 flex justify-between gap-4 text-xs text-muted-foreground tabular-nums">
        <span>{shortDollars(chart.lowCents)}</span>
        <span>{`${shortDollars(chart.highCents)}${chart.isOpenEnded ? '+' : ''}`}</span>
      </p>
    </figure>
  )
}

function rangeOf({ lowCents, highCents }: Bar): string {
  return highCents === 0 ? `${shortDollars(lowCents)}+` : `${shortDollars(lowCents)}–${shortDollars(highCents)}`
}
