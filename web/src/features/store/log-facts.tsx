import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { drawsQuery } from '@/api/fairness'
import { useLanguage } from '@/i18n'
import { dateTime, number } from '@/lib/format'
import { Facts } from '@/components/ui/facts'
import { Loaded } from '@/components/ui/loaded'
import { Skeleton } from '@/components/ui/skeleton'
import { storeTexts } from './texts'

const refreshedAfterMs = 30_000
const large = 'text-2xl leading-8 tracking-tight'

/** How many packs were opened, and the state of the public log. Renders nothing on errors. */
export function LogFacts() {
  const t = storeTexts.useT().home.log
  const language = useLanguage()
  const draws = useQuery({ ...drawsQuery, refetchInterval: refreshedAfterMs })
  return (
    <Loaded query={draws} failed={null} skeleton={<Skeleton className="h-24 rounded-2xl" />}>
      {({ opens, checkpoint }) => (
        <section
          aria-label={t.label}
          className="panel flex min-h-24 flex-wrap items-center justify-between gap-x-10 gap-y-3 rounded-2xl px-6 py-4"
        >
          <Facts
            layout="stacks"
            className="flex flex-wrap gap-x-12 gap-y-3"
            facts={[
              { label: t.opened, value: number(opens), className: large },
              ...(checkpoint
                ? [
                    { label: t.size, value: number(checkpoint.size), className: large },
                    {
                      label: t.signed,
                      value: <time dateTime={checkpoint.signedAt}>{dateTime(checkpoint.signedAt, language)}</time>,
                      className: large,
                    },
                  ]
                : []),
            ]}
          />
          <Link to="/fairness" className="rounded-sm text-sm font-medium text-gold-text underline underline-offset-4">
            {t.check}
          </Link>
        </section>
      )}
    </Loaded>
  )
}
