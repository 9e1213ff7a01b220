import { Link } from '@tanstack/react-router'
import { useT } from '@/i18n'
import { storeTexts } from '../texts'
import type { Odds, PackDetail } from '@/contract/types'
import { dollars, percent } from '@/lib/format'
import { OddsBar } from '@/components/odds-bar'
import { Table } from '@/components/ui/table'
import { Tooltip } from '@/components/ui/tooltip'
import { isHighlighted } from './highlight'
import { ValueDistribution } from './value-distribution'
import { oddsTierLabel } from '@/components/odds-tier-label'

/** Odds and expected value, calculated from the manifest and the stock left. */
export function OddsPanel({ pack }: { pack: PackDetail }) {
  const t = storeTexts.useT().pack
  return (
    <section aria-labelledby="probability" className="panel rounded-2xl p-4 md:p-5">
      <div className="flex items-baseline justify-between gap-4">
        <h2 id="probability" className="font-semibold">
          {t.probability}
        </h2>
        <p className="text-sm text-muted-foreground">
          <span>{t.expectedValue}</span>{' '}
          <strong className="ml-1 text-base font-semibold text-foreground tabular-nums">
            {dollars(pack.expectedValueCents)}
          </strong>
        </p>
      </div>
      <OddsTable odds={pack.odds ?? []} priceCents={pack.priceCents} />
      <ValueDistribution odds={pack.odds ?? []} priceCents={pack.priceCents} />
      <p className="mt-4 text-xs leading-relaxed text-pretty text-muted-foreground">
        <span>{t.footnote}</span>{' '}
        <Link to="/fairness" hash="books" className="text-gold-text underline underline-offset-4">
          {t.actualResults}
        </Link>
      </p>
    </section>
  )
}

function OddsTable({ odds, priceCents }: { odds: readonly Odds[]; priceCents: number }) {
  const { catalogue } = useT()
  const t = storeTexts.useT().pack
  // Other packs draw by rarity or by toy series.
  const ranges = odds.every(({ label }) => label.startsWith('$'))
  const full = Math.max(...odds.map((band) => band.chance), 0)
  return (
    <Table
      caption={t.oddsTable}
      rows={odds}
      idOf={({ label }) => label}
      columns={[
        {
          head: ranges ? t.oddsColumns.range : t.oddsColumns.tier,
          cell: ({ label }) => oddsTierLabel(label, catalogue),
          className: 'whitespace-nowrap',
        },
        {
          head: null,
          cell: ({ chance }, index) => (
            <OddsBar chance={chance} full={full} bright={isHighlighted(odds, index, priceCents)} />
          ),
          className: 'w-2/5 px-3',
        },
        {
          head: <Help text={t.oddsColumns.weight} help={t.weightHelp} />,
          cell: ({ published }) => percent(published),
          className: 'text-right whitespace-nowrap',
          cellClassName: 'text-muted-foreground',
        },
        {
          head: <Help text={t.oddsColumns.chance} help={t.chanceHelp} />,
          cell: ({ chance }) => percent(chance),
          className: 'pl-4 text-right whitespace-nowrap',
          cellClassName: 'font-semibold',
        },
      ]}
    />
  )
}

function Help({ text, help }: { text: string; help: string }) {
  return (
    <Tooltip text={help}>
      <button
        type="button"
        className="cursor-help rounded-sm underline decoration-line-strong decoration-dotted underline-offset-4"
      >
        {text}
      </button>
    </Tooltip>
  )
}
