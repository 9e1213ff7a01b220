import { usePack } from '@/api/packs'
import { PointWorth } from '@/domain/points'
import { tierLabel } from '@/domain/tier-label'
import type { Odds as Band } from '@/lib/contract/types'
import { dollars, percent } from '@/lib/format'
import { useOpeningT } from './texts'

/** What can come out and how likely, before anything is paid. */
export function Odds({ packId }: { packId: string }) {
  const t = useOpeningT()
  const { data: pack } = usePack(packId)
  const possible = pack?.odds?.filter(({ chance }) => chance > 0) ?? []
  if (!pack || possible.length === 0) return null
  return (
    <div className="mt-5 text-[0.8125rem]">
      <p className="font-medium">
        {`${range(possible, t.opening.intro)} ${t.opening.intro.average(dollars(pack.expectedValueCents))}`}
      </p>
      <ul
        aria-label={t.opening.intro.odds}
        className="mt-1 flex flex-wrap gap-x-4 gap-y-0.5 text-muted-foreground tabular-nums"
      >
        {possible.map(({ label, chance }) => (
          <li key={label}>{`${tierLabel(label, t.catalogue)}: ${percent(chance)}`}</li>
        ))}
      </ul>
      <PointWorth className="mt-1 block text-foreground" />
    </div>
  )
}

/** Between which values an item lies. */
function range(bands: readonly Band[], t: ReturnType<typeof useOpeningT>['opening']['intro']): string {
  const low = dollars(Math.min(...bands.map(({ lowCents }) => lowCents)))
  const highs = bands.map(({ highCents }) => highCents)
  return highs.includes(0) ? t.rangeUp(low) : t.range(low, dollars(Math.max(...highs)))
}
