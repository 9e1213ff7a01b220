import { Link } from '@tanstack/react-router'
import { useT } from '@/i18n'
import { packTexts } from './texts'
import type { Odds, PackDetail } from '@/lib/contract/types'
import { dollars, percent } from '@/lib/format'
import { OddsBar } from '@/domain/odds-bar'
import { Tooltip } from '@/ui/tooltip'
import { isBright } from './distribution'
import { tierLabel } from '@/domain/tier-label'
import { ValueDistribution } from './value-distribution'

/** What may come out, how likely, and what it is worth on average: computed from the manifest and the stock. */
export function OddsPanel({ pack }: { pack: PackDetail }) {
  const t = packTexts.useT()
  return (
    <section aria-labelledby="probability" className="panel rounded-2xl p-4 md:p-5">
      <div className="flex items-baseline justify-between gap-4">
        <h2 id="probability" className="font-semibold">
          {t.probability}
        </h2>
        <p className="text-sm text-muted-foreground">
          {t.expectedValue}{' '}
          <strong className="ml-1 text-base font-semibold text-foreground tabular-nums">
            {dollars(pack.expectedValueCents)}
          </strong>
        </p>
      </div>
      <OddsTable odds={pack.odds ?? []} priceCents={pack.priceCents} />
      <ValueDistribution odds={pack.odds ?? []} priceCents={pack.priceCents} />
      <p className="mt-4 text-xs leading-relaxed text-pretty text-muted-foreground">
        {t.footnote}{' '}
        <Link to="/fairness" hash="books" className="text-gold-text underline underline-offset-4">
          {t.realised}
        </Link>
      </p>
    </section>
  )
}

function OddsTable({ odds, priceCents }: { odds: readonly Odds[]; priceCents: number }) {
  const { catalogue } = useT()
  const t = packTexts.useT()
  const full = Math.max(...odds.map((band) => band.chance), 0)
  return (
    <table className="mt-3 w-full text-sm tabular-nums">
      <caption className="sr-only">{t.oddsTable}</caption>
      <thead className="text-xs text-muted-foreground">
        <tr>
          <th scope="col" colSpan={2} className="py-1.5 text-left font-normal">
            {t.oddsColumns.band}
          </th>
          <HelpHeader text={t.oddsColumns.published} help={t.publishedHelp} />
          <HelpHeader text={t.oddsColumns.chance} help={t.chanceHelp} />
        </tr>
      </thead>
      <tbody>
        {odds.map((band, index) => (
          <tr key={band.label}>
            <th scope="row" className="py-1 text-left font-medium whitespace-nowrap">
              {tierLabel(band.label, catalogue)}
            </th>
            <td className="w-2/5 px-3">
              <OddsBar chance={band.chance} full={full} bright={isBright(odds, index, priceCents)} />
            </td>
            <td className="text-right text-muted-foreground">{percent(band.published)}</td>
            <td className="pl-4 text-right font-semibold">{percent(band.chance)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

function HelpHeader({ text, help }: { text: string; help: string }) {
  return (
    <th scope="col" className="pl-4 text-right font-normal whitespace-nowrap">
      <Tooltip text={help}>
        <button
          type="button"
          className="cursor-help rounded-sm underline decoration-line-strong decoration-dotted underline-offset-4"
        >
          {text}
        </button>
      </Tooltip>
    </th>
  )
}
