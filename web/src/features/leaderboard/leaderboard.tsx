import { number } from '@/lib/format'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useLeaderboard } from '@/api/leaderboard'
import { leaderboardTexts } from './texts'
import type { Ranking } from '@/contract/types'
import { Facts } from '@/components/ui/facts'
import { Tabs, TabsList, TabsPanel, TabsTrigger } from '@/components/ui/tabs'
import { LeaderList } from './leader-list'
import { type Metric, metrics, type Period, periods, rankingOf } from './ranking'
import { RecentActivity } from './recent-activity'

/** The leaderboard for the period and metric in the URL. */
export function Leaderboard() {
  const t = leaderboardTexts.useT()
  const navigate = useNavigate()
  const ranking = rankingOf(useSearch({ from: '/leaderboard' }))
  const show = (change: { period: Period } | { metric: Metric }) =>
    void navigate({ to: '/leaderboard', search: { ...ranking, ...change }, replace: true, resetScroll: false })
  return (
    <div className="grid items-start gap-6 lg:grid-cols-[minmax(0,1fr)_20rem]">
      <Tabs value={ranking.period} onValueChange={(period) => show({ period: period as Period })}>
        <div>
          <TabsList label={t.periods}>
            {periods.map((period) => (
              <TabsTrigger key={period} value={period}>
                {t.period[period]}
              </TabsTrigger>
            ))}
          </TabsList>
          <TabsPanel className="mt-4">
            <Tabs value={ranking.metric} onValueChange={(metric) => show({ metric: metric as Metric })}>
              <TabsList label={t.metrics}>
                {metrics.map((metric) => (
                  <TabsTrigger key={metric} value={metric}>
                    {t.metric[metric]}
                  </TabsTrigger>
                ))}
              </TabsList>
              {/* The height of ten rows, so that shorter rankings don't shift the page. */}
              <TabsPanel className="mt-4 min-h-[51rem]">
                <LeaderList ranking={ranking} />
              </TabsPanel>
            </Tabs>
          </TabsPanel>
        </div>
      </Tabs>
      <div className="space-y-6">
        <RecentActivity />
        <Stats ranking={ranking} />
      </div>
    </div>
  )
}

function Stats({ ranking }: { ranking: Ranking }) {
  const t = leaderboardTexts.useT()
  const competitors = useLeaderboard(ranking).data?.competitors
  return (
    <section aria-labelledby="stats" className="panel rounded-2xl p-5">
      <h2 id="stats" className="font-semibold">
        {t.stats}
      </h2>
      <Facts
        className="mt-3 space-y-2"
        facts={[
          { label: t.competitors, value: competitors === undefined ? '–' : number(competitors) },
          { label: t.periodLabel, value: t.period[ranking.period] },
          { label: t.metricLabel, value: t.metric[ranking.metric] },
        ]}
      />
    </section>
  )
}
