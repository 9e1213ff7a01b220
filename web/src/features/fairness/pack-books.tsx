import { ChartNoAxesColumn } from 'lucide-react'
import { useDraws } from '@/api/draws'
import { manifestUrl } from '@/api/manifest'
import { useLanguage, useT } from '@/i18n'
import { fairnessTexts } from './texts'
import type { PackDraws } from '@/lib/contract/types'
import { dateTime, fixed, number, percent, smallChance } from '@/lib/format'
import { tierLabel } from '@/domain/tier-label'
import { EmptyState } from '@/ui/empty-state'
import { ErrorState } from '@/ui/error-state'
import { Skeleton } from '@/ui/skeleton'
import { chanceWords } from './chance-words'

/** What every pack has really yielded, against what its table promises. */
export function PackBooks() {
  const t = fairnessTexts.useT()
  const { data, error, refetch } = useDraws()
  return (
    <section aria-labelledby="books">
      <h2 id="books" className="text-xl font-semibold tracking-tight">
        {t.books}
      </h2>
      <p className="mt-1 mb-6 text-muted-foreground">{t.booksText}</p>
      {!data && error && <ErrorState title={t.booksFailed} error={error} retry={() => void refetch()} />}
      {!data && !error && (
        <div className="grid gap-5 xl:grid-cols-2">
          {Array.from({ length: 4 }, (_, at) => (
            <Skeleton key={at} className="h-80 rounded-2xl" />
          ))}
        </div>
      )}
      {data?.packs.length === 0 && (
        <EmptyState icon={<ChartNoAxesColumn />} title={t.noPacks} text={t.noPacksText} className="panel rounded-2xl" />
      )}
      {data && (
        <ul className="grid gap-5 xl:grid-cols-2">
          {data.packs
            .toSorted((a, b) => b.opens - a.opens)
            .map((pack) => (
              <li key={pack.packId} className="flex">
                <PackBook pack={pack} />
              </li>
            ))}
        </ul>
      )}
    </section>
  )
}

function PackBook({ pack }: { pack: PackDraws }) {
  const t = fairnessTexts.useT()
  const language = useLanguage()
  return (
    <article aria-label={pack.name} className="panel flex min-w-0 flex-1 flex-col rounded-2xl p-5">
      <header className="flex flex-wrap items-baseline justify-between gap-x-4">
        <h3 className="font-semibold">{pack.name}</h3>
        <p className="text-sm font-semibold tabular-nums">{t.packOpens(pack.opens)}</p>
        <p className="w-full text-xs text-muted-foreground tabular-nums">
          {t.since(dateTime(pack.since, language))} ·{' '}
          <a
            href={manifestUrl(pack.manifest)}
            target="_blank"
            rel="noreferrer"
            className="underline underline-offset-4 hover:text-foreground"
          >
            {t.table} {pack.manifest.slice(0, 8)}
          </a>
        </p>
      </header>
      <Tiers pack={pack} />
      <footer className="mt-auto pt-3.5 text-[0.8125rem] leading-relaxed text-pretty">
        <p>{chanceWords(pack, t)}</p>
        {pack.pValue !== null && pack.opens > 0 && (
          <p className="text-xs text-muted-foreground tabular-nums">
            {t.pValue(smallChance(pack.pValue), fixed(pack.chiSquare, 2), pack.degrees)}
          </p>
        )}
      </footer>
    </article>
  )
}

function Tiers({ pack }: { pack: PackDraws }) {
  const t = fairnessTexts.useT()
  const { catalogue } = useT()
  const drawn = pack.tiers.reduce((sum, { count }) => sum + count, 0)
  const shareOf = (count: number) => (drawn > 0 ? count / drawn : 0)
  const full = Math.max(...pack.tiers.flatMap(({ chance, count }) => [chance, shareOf(count)]), 0)
  return (
    <table className="mt-3 w-full table-fixed text-[0.8125rem] tabular-nums">
      <caption className="sr-only">{t.tableOf(pack.name)}</caption>
      <thead className="text-xs text-muted-foreground">
        <tr>
          <th scope="col" className="w-[8.5rem] py-1 text-left font-normal">
            {t.columns.tier}
          </th>
          <th scope="col" className="px-2 text-left font-normal">
            <span className="sr-only">{t.columns.share}</span>
          </th>
          <th scope="col" className="w-[4.25rem] text-right font-normal">
            {t.columns.chance}
          </th>
          <th scope="col" className="w-[4.25rem] text-right font-normal">
            {t.columns.drawn}
          </th>
          <th scope="col" className="w-[4.25rem] text-right font-normal">
            {t.columns.expected}
          </th>
        </tr>
      </thead>
      <tbody>
        {pack.tiers.map(({ label, chance, count, expected }) => (
          <tr key={label}>
            <th
              scope="row"
              title={tierLabel(label, catalogue)}
              className="truncate py-[0.1875rem] text-left font-medium"
            >
              {tierLabel(label, catalogue)}
            </th>
            <td className="px-2">
              <Bar share={shareOf(count)} chance={chance} full={full} />
            </td>
            <td className="text-right text-muted-foreground">{percent(chance)}</td>
            <td className="text-right font-semibold">{number(count)}</td>
            <td className="text-right text-muted-foreground">{number(expected, 1)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

/** What was drawn as a length, what was promised as a line across it. */
function Bar({ share, chance, full }: { share: number; chance: number; full: number }) {
  const at = (fraction: number) => `${full > 0 ? (fraction / full) * 100 : 0}%`
  return (
    <div aria-hidden className="relative h-2.5 w-full rounded-sm bg-muted">
      <div className="h-full rounded-sm bg-common" style={{ width: at(share) }} />
      <span
        className="absolute -inset-y-0.5 w-0.5 -translate-x-1/2 rounded-full bg-gold"
        style={{ left: at(chance) }}
      />
    </div>
  )
}
