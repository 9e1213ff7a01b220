import { useQuery } from '@tanstack/react-query'
import { manifestQuery } from '@/api/log'
import { usePack } from '@/api/packs'
import { PointWorth } from '@/components/points'
import { oddsTierLabel } from '@/components/odds-tier-label'
import type { Odds as Band } from '@/contract/types'
import type { Bytes } from '@/lib/protocol/bytes'
import { parseManifest } from '@/lib/protocol/manifest'
import { dollars, percent } from '@/lib/format'
import { useOpeningT } from './texts'

export function Odds({ packId }: { packId: string }) {
  const t = useOpeningT()
  const { data: pack } = usePack(packId)
  const { data: manifest } = useQuery({ ...manifestQuery(pack?.manifestHash ?? ''), enabled: pack !== undefined })
  const possible = pack?.odds?.filter(({ chance }) => chance > 0) ?? []
  if (!pack || possible.length === 0) return null
  return (
    <div className="mt-5 text-[0.8125rem]">
      <p className="font-medium">
        {[
          manifest && range(manifest, possible, t.opening.intro),
          t.opening.intro.average(dollars(pack.expectedValueCents)),
        ]
          .filter(Boolean)
          .join(' ')}
      </p>
      <ul
        aria-label={t.opening.intro.odds}
        className="mt-1 flex flex-wrap gap-x-4 gap-y-0.5 text-muted-foreground tabular-nums"
      >
        {possible.map(({ label, chance }) => (
          <li key={label}>{`${oddsTierLabel(label, t.catalogue)}: ${percent(chance)}`}</li>
        ))}
      </ul>
      <PointWorth className="mt-1 block text-foreground" />
    </div>
  )
}

/** The lowest and highest value that can be pulled, from the cards: the pack's ranges may be unbounded. */
function range(manifest: Bytes, possible: readonly Band[], t: ReturnType<typeof useOpeningT>['opening']['intro']) {
  const labels = new Set(possible.map(({ label }) => label))
  const cards = parseManifest(manifest).tiers.flatMap((tier) => (labels.has(tier.label) ? tier.cards : []))
  const values = cards.map(({ valueCents }) => valueCents)
  const [low, high] = [values.reduce((a, b) => Math.min(a, b)), values.reduce((a, b) => Math.max(a, b))]
  return low === high ? t.rangeOne(dollars(low)) : t.range(dollars(low), dollars(high))
}
