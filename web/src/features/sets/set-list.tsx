import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { Library } from 'lucide-react'
import { useMemo } from 'react'
import { useSets } from '@/api/sets'
import { categories } from '@/components/categories'
import { useT } from '@/i18n'
import { useSeriesName } from '@/i18n/names'
import type { CardSet } from '@/contract/types'
import { oneOfOrUndefined } from '@/lib/search-param'
import { Art } from '@/components/ui/art'
import { EmptyState } from '@/components/ui/empty-state'
import { LoadedGrid } from '@/components/ui/loaded-grid'
import { Select } from '@/components/ui/select'
import { Skeleton } from '@/components/ui/skeleton'
import { Progress } from './progress'
import { type SeriesGroup, seriesGroups } from './series-groups'
import { setsTexts } from './texts'

/** All series and sets with the visitor's progress. The URL holds the category. */
export default function SetList() {
  const t = setsTexts.useT().sets
  const catalogue = useT().catalogue
  const navigate = useNavigate()
  const series = useSearch({
    strict: false,
    select: (search: Readonly<Record<string, unknown>>) => oneOfOrUndefined(categories, search['series']),
  })
  const { data, ...list } = useSets(series)
  const groups = useMemo(() => data && seriesGroups(data), [data])
  return (
    <>
      <div className="mb-6">
        <Select
          aria-label={t.category}
          className="w-52"
          value={series ?? ''}
          onChange={({ currentTarget: { value } }) =>
            void navigate({
              to: '.',
              search: (current: Record<string, unknown>) => ({ ...current, series: value || undefined }),
              resetScroll: false,
            })
          }
        >
          <option value="">{t.allCategories}</option>
          {categories.map((category) => (
            <option key={category} value={category}>
              {catalogue.categories[category]}
            </option>
          ))}
        </Select>
      </div>
      <LoadedGrid
        list={{ ...list, data: groups }}
        label={t.list}
        failed={t.failed}
        columns="grid-cols-1"
        gap={40}
        skeleton={<Skeleton className="h-56 rounded-2xl" />}
        skeletonCount={3}
        idOf={({ whole }) => whole.series}
        empty={<EmptyState icon={<Library />} title={t.empty} text={t.emptyText} className="panel rounded-2xl" />}
      >
        {(group) => <Series group={group} />}
      </LoadedGrid>
    </>
  )
}

/** A series with its sets. */
function Series({ group: { whole, sets } }: { group: SeriesGroup }) {
  const t = setsTexts.useT().sets
  const seriesName = useSeriesName()
  const id = `series-${whole.id}`
  return (
    <section aria-labelledby={id}>
      <h2 id={id} className="mb-4 text-lg font-semibold tracking-tight">
        {seriesName(whole.series)}
      </h2>
      <div className="grid gap-4 sm:grid-cols-2 xl:grid-cols-3">
        {[whole, ...sets].map((set) => (
          <SetCard key={set.id} set={set} title={set.name || t.wholeSeries} />
        ))}
      </div>
    </section>
  )
}

function SetCard({ set, title }: { set: CardSet; title: string }) {
  return (
    <article className="panel relative flex items-center gap-5 rounded-2xl p-4 transition-colors hover:border-line-strong has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-ring">
      <div aria-hidden className="flex w-24 shrink-0 justify-center">
        {set.imageUrls.map((url, index) => (
          <Art
            key={url}
            src={url}
            alt=""
            loading="lazy"
            className="h-24 w-auto not-first:-ml-9"
            style={{ zIndex: set.imageUrls.length - index, position: 'relative' }}
          />
        ))}
      </div>
      <div className="min-w-0 flex-1 space-y-2">
        <h3 className="text-sm leading-5 font-medium text-pretty">
          <Link
            to="/sets/$setId"
            params={{ setId: set.id }}
            className="outline-none after:absolute after:inset-0 after:rounded-2xl"
          >
            {title}
          </Link>
        </h3>
        <Progress set={set} />
      </div>
    </article>
  )
}
