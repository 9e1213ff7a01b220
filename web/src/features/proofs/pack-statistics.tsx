import { ChartNoAxesColumn } from 'lucide-react'
import { useDraws } from '@/api/fairness'
import { manifestUrl } from '@/api/log'
import { useLanguage, useT } from '@/i18n'
import { usePackName } from '@/i18n/names'
import { proofsTexts } from './texts'
import type { PackDraws } from '@/contract/types'
import { dateTime, fixed, number, percent, smallChance } from '@/lib/format'
import { oddsTierLabel } from '@/components/odds-tier-label'
import { EmptyState } from '@/components/ui/empty-state'
import { Loaded } from '@/components/ui/loaded'
import { Skeleton } from '@/components/ui/skeleton'
import { Table } from '@/components/ui/table'
import { describePValue } from './p-value-text'

/** How often each tier was drawn from each pack, compared with its odds. */
export function PackStatistics() {
  const t = proofsTexts.useT().fairness
  const draws = useDraws()
  return (
    <section aria-labelledby="books">
      <h2 id="books" className="text-xl font-semibold tracking-tight">
        {t.books}
      </h2>
      <p className="mt-1 mb-6 text-muted-foreground">{t.booksText}</p>
      <Loaded
        query={draws}
        failed={t.booksFailed}
        skeleton={
          <div className="grid gap-5 xl:grid-cols-2">
            {Array.from({ length: 4 }, (_, index) => (
              <Skeleton key={index} className="h-80 rounded-2xl" />
            ))}
          </div>
        }
      >
        {({ packs }) => <PackList packs={packs} />}
      </Loaded>
    </section>
  )
}

function PackList({ packs }: { packs: readonly PackDraws[] }) {
  const t = proofsTexts.useT().fairness
  if (packs.length === 0) {
    return (
      <EmptyState icon={<ChartNoAxesColumn />} title={t.noPacks} text={t.noPacksText} className="panel rounded-2xl" />
    )
  }
  return (
    <ul className="grid gap-5 xl:grid-cols-2">
      {[...packs]
        .sort((a, b) => b.opens - a.opens)
        .map((pack) => (
          <li key={pack.packId} className="flex">
            <PackCard pack={pack} />
          </li>
        ))}
    </ul>
  )
}

function PackCard({ pack }: { pack: PackDraws }) {
  const t = proofsTexts.useT().fairness
  const language = useLanguage()
  const name = usePackName()(pack)
  return (
    <article aria-label={name} className="panel flex min-w-0 flex-1 flex-col rounded-2xl p-5">
      <header className="flex flex-wrap items-baseline justify-between gap-x-4">
        <h3 className="font-semibold">{name}</h3>
        <p className="text-sm font-semibold tabular-nums">{t.packOpens(pack.opens)}</p>
        <p className="w-full text-xs text-muted-foreground tabular-nums">
          <span>{`${t.since(dateTime(pack.since, language))} ·`}</span>{' '}
          <a
            href={manifestUrl(pack.manifest)}
            target="_blank"
            rel="noreferrer"
            className="underline underline-offset-4 hover:text-foreground"
          >
            {`${t.table} ${pack.manifest.slice(0, 8)}`}
          </a>
        </p>
      </header>
      <Tiers pack={pack} />
      <footer className="mt-auto pt-3.5 text-[0.8125rem] leading-relaxed text-pretty">
        <p>{describePValue(pack, t)}</p>
        {pack.pValue !== null && pack.opens > 0 && (
          <p className="text-xs text-muted-foreground tabular-nums">
            {t.pValue(smallChance(pack.pValue), fixed(pack.chiSquare, 2), pack.degrees)}
          </p>
        )}
      </footer>
    </article>
  )
}

const numberClass = 'w-[4.25rem] text-right'
const mutedClass = 'text-muted-foreground'

function Tiers({ pack }: { pack: PackDraws }) {
  const t = proofsTexts.useT().fairness
  const { catalogue } = useT()
  const packName = usePackName()
  const drawn = pack.tiers.reduce((sum, { count }) => sum + count, 0)
  const shareOf = (count: number) => (drawn > 0 ? count / drawn : 0)
  const full = Math.max(...pack.tiers.flatMap(({ chance, count }) => [chance, shareOf(count)]), 0)
  return (
    <Table
      caption={t.tableOf(packName(pack))}
      rows={pack.tiers}
      idOf={({ label }) => label}
      className="table-fixed text-[0.8125rem]/[inherit]"
      columns={[
        {
          head: t.columns.tier,
          cell: ({ label }) => oddsTierLabel(label, catalogue),
          className: 'w-[8.5rem] pr-2',
        },
        {
          head: <span className="sr-only">{t.columns.share}</span>,
          cell: ({ count, chance }) => <ShareBar share={shareOf(count)} chance={chance} full={full} />,
          className: 'px-2',
        },
        {
          head: t.columns.chance,
          cell: ({ chance }) => percent(chance),
          className: numberClass,
          cellClassName: mutedClass,
        },
        {
          head: t.columns.drawn,
          cell: ({ count }) => number(count),
          className: numberClass,
          cellClassName: 'font-semibold',
        },
        {
          head: t.columns.expected,
          cell: ({ expected }) => number(expected, 1),
          className: numberClass,
          cellClassName: mutedClass,
        },
      ]}
    />
  )
}

/** The drawn share as a bar, the promised chance as a line across it. */
function ShareBar({ share, chance, full }: { share: number; chance: number; full: number }) {
  const position = (fraction: number) => `${full > 0 ? (fraction / full) * 100 : 0}%`
  return (
    <div aria-hidden className="relative h-2.5 w-full rounded-sm bg-muted">
      <div className="h-full rounded-sm bg-common" style={{ width: position(share) }} />
      <span
        className="absolute -inset-y-0.5 w-0.5 -translate-x-1/2 rounded-full bg-gold"
        style={{ left: position(chance) }}
      />
    </div>
  )
}
