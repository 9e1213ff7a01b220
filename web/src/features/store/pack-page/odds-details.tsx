import { Link } from '@tanstack/react-router'
import { ChevronDown } from 'lucide-react'
import { useT } from '@/i18n'
import { storeTexts } from '../texts'
import type { Odds, PackDetail } from '@/contract/types'
import { percent } from '@/lib/format'
import { OddsBar } from '@/components/odds-bar'
import { Table } from '@/components/ui/table'
import { Tooltip } from '@/components/ui/tooltip'
import { isHighlighted } from './highlight'
import { oddsTierLabel } from '@/components/odds-tier-label'

/** Listed weights and effective chances, folded away. */
export function OddsDetails({ pack }: { pack: PackDetail }) {
  const t = storeTexts.useT().pack
  return (
    <details className="group -mx-2">
      <summary className="flex cursor-pointer list-none items-center justify-between gap-3 rounded-lg px-2 py-1.5 text-sm font-medium hover:bg-muted/50">
        <span>{t.howComputed}</span>
        <ChevronDown
          aria-hidden
          className="size-4 text-muted-foreground transition-transform group-open:rotate-180 motion-reduce:transition-none"
        />
      </summary>
      <div className="px-2 pt-2">
        <p className="text-sm text-pretty text-muted-foreground">
          <span>{t.howComputedText}</span>{' '}
          <Link to="/fairness" hash="books" className="text-gold-text underline underline-offset-4">
            {t.actualResults}
          </Link>
        </p>
        <OddsTable odds={pack.odds} priceCents={pack.priceCents} />
      </div>
    </details>
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
