import { storeTexts } from '../texts'
import type { Odds } from '@/contract/types'
import { dollars, percent } from '@/lib/format'
import { chanceAtLeast, type Distribution, distributionOf } from './distribution'

interface ValueDistributionProps {
  odds: readonly Odds[]
  priceCents: number
}

const width = 520
const height = 56

/** Chart of the odds by value, with a line at the price. The table above has the same data. */
export function ValueDistribution({ odds, priceCents }: ValueDistributionProps) {
  const t = storeTexts.useT().pack
  const distribution = distributionOf(odds, priceCents)
  if (!distribution || odds.every(({ chance }) => chance === 0)) return null
  const above = chanceAtLeast(odds, priceCents)
  const priceX = distribution.price * width
  return (
    <figure className="mt-4">
      <svg viewBox={`0 -2 ${width} ${height + 3}`} className="w-full" role="img" aria-label={t.distribution}>
        {distribution.boxes.map((box) => {
          const tall = box.height > 0 ? Math.max(box.height * height, 1.5) : 0
          return (
            <rect
              key={box.label}
              x={box.left * width + 1}
              y={height - tall}
              width={Math.max(box.width * width - 2, 1)}
              height={tall}
              rx="2"
              fill={box.highlighted ? 'var(--gold)' : 'var(--common)'}
              fillOpacity={box.highlighted ? 0.75 : 0.45}
            />
          )
        })}
        <line x1="0" x2={width} y1={height} y2={height} stroke="var(--line-strong)" />
        <line x1={priceX} x2={priceX} y1="-2" y2={height} stroke="var(--foreground)" strokeDasharray="3 3" />
      </svg>
      <figcaption className="mt-1.5 flex justify-between gap-4 text-xs text-muted-foreground tabular-nums">
        <span>{dollars(distribution.lowCents)}</span>
        {above !== undefined && <span>{t.distributionLead(dollars(priceCents), percent(above, 1))}</span>}
        <span>{upperEnd(distribution)}</span>
      </figcaption>
    </figure>
  )
}

function upperEnd({ highCents, openFromCents }: Distribution): string {
  return openFromCents === undefined ? dollars(highCents) : `${dollars(openFromCents)}+`
}
