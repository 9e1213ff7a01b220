import { Link } from '@tanstack/react-router'
import { usePlayResults } from '@/api/limits'
import type { OwnFigures } from '@/contract/types'
import { dollars, number, percent, points } from '@/lib/format'
import { Facts } from '@/components/ui/facts'
import { Loaded } from '@/components/ui/loaded'
import { Skeleton } from '@/components/ui/skeleton'
import { limitsTexts } from './texts'

/** The user's results, and how likely they are given the odds. */
export function Figures() {
  const t = limitsTexts.useT().figures
  return (
    <section className="panel mb-6 rounded-2xl px-6 py-5">
      <h2 className="mb-3 text-lg font-semibold">{t.heading}</h2>
      <Loaded
        query={usePlayResults()}
        failed={t.failed}
        inlineErrorClass="text-sm"
        withCause
        skeleton={<Skeleton className="h-40" />}
      >
        {(figures) => (
          <>
            <Facts
              layout="cells"
              facts={[
                { label: t.opens, value: number(figures.opens) },
                { label: t.spent, value: points(figures.spentCents) },
                { label: t.back, value: points(figures.backCents) },
                { label: t.net, value: points(figures.netCents) },
                {
                  label: t.time,
                  value: t.minutes(Math.floor(figures.minutes / 60), figures.minutes % 60),
                },
              ]}
            />
            <p className="mt-3 text-sm text-muted-foreground">{t.note}</p>
            {figures.luck ? <Luck luck={figures.luck} /> : <p className="mt-4 text-sm">{t.none}</p>}
          </>
        )}
      </Loaded>
    </section>
  )
}

/** A result that at least this share of players reach or exceed counts as normal luck. */
const usualShare = 0.05

function Luck({ luck }: { luck: NonNullable<OwnFigures['luck']> }) {
  const t = limitsTexts.useT().figures
  return (
    <>
      <h3 className="mt-6 mb-2 font-semibold">{t.luck}</h3>
      <Facts
        layout="cells"
        facts={[
          { label: t.drawn, value: dollars(luck.drawnCents) },
          { label: t.expected, value: dollars(luck.expectedCents) },
          { label: t.deviation, value: `± ${dollars(luck.deviationCents)}` },
          { label: 'z', value: number(luck.z, 2) },
          { label: 'p', value: percent(luck.p, 2) },
        ]}
      />
      <p className="mt-3">{t.verdict(percent(luck.p, luck.p < 0.01 ? 2 : 0), luck.p >= usualShare)}</p>
      <p className="mt-2 max-w-prose text-sm text-muted-foreground">{t.method}</p>
      <Link to="/my-opens" className="mt-2 inline-block text-sm font-medium text-gold-text hover:underline">
        {t.proofs}
      </Link>
    </>
  )
}
