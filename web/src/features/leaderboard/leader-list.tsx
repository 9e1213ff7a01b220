import { number } from '@/lib/format'
import { Link } from '@tanstack/react-router'
import { ChartNoAxesColumn } from 'lucide-react'
import { useLeaderboard, useMyRank } from '@/api/leaderboard'
import { leaderboardTexts } from './texts'
import { HandleLink } from '@/components/handle-link'
import type { Leader, Ranking } from '@/contract/types'
import { cn } from '@/lib/cn'
import { useSession } from '@/lib/session'
import { Avatar } from '@/components/ui/avatar'
import { Badge } from '@/components/ui/badge'
import { Button } from '@/components/ui/button'
import { EmptyState } from '@/components/ui/empty-state'
import { Loaded } from '@/components/ui/loaded'
import { Skeleton } from '@/components/ui/skeleton'
import { Medal } from './medal'
import { Podium, PodiumSkeleton } from './podium'
import { type Metric, valueText } from './ranking'

const skeletonRows = 10

/** The ranking with its podium, and the user's own rank. */
export function LeaderList({ ranking }: { ranking: Ranking }) {
  const t = leaderboardTexts.useT()
  const board = useLeaderboard(ranking)
  const myRank = useMyRank(ranking, useSession().status === 'signed-in')
  return (
    <Loaded query={board} failed={t.loadFailed} skeleton={<LeaderListSkeleton />}>
      {({ leaders }) =>
        leaders.length > 0 ? (
          <>
            <Podium leaders={leaders} metric={ranking.metric} />
            <RankedList leaders={leaders} metric={ranking.metric} myRank={myRank} />
          </>
        ) : (
          <EmptyState
            icon={<ChartNoAxesColumn />}
            title={t.emptyTitle}
            text={t.emptyText}
            className="panel rounded-2xl"
          />
        )
      }
    </Loaded>
  )
}

interface RankedListProps {
  leaders: readonly Leader[]
  metric: Metric
  myRank: ReturnType<typeof useMyRank>
}

function RankedList({ leaders, metric, myRank }: RankedListProps) {
  const t = leaderboardTexts.useT()
  const position = myRank.data?.position ?? null
  return (
    <>
      <ol aria-label={t.leaders} className="panel mt-4 divide-y divide-line rounded-2xl px-5 py-1">
        {leaders.map((leader, index) => (
          <Row key={index} leader={leader} metric={metric} own={index === position} />
        ))}
      </ol>
      <Loaded
        query={myRank}
        failed={t.rankFailed}
        inlineErrorClass="panel mt-4 rounded-2xl px-5 py-4"
        withCause
        skeleton={null}
      >
        {({ rank, value }) =>
          position === null || position >= leaders.length ? <MyRank rank={rank} value={value} metric={metric} /> : null
        }
      </Loaded>
    </>
  )
}

interface RowProps {
  leader: Leader
  metric: Metric
  own: boolean
}

function Row({ leader, metric, own }: RowProps) {
  const t = leaderboardTexts.useT()
  const name = leader.username || t.unnamed(leader.number)
  return (
    <li className={cn('flex h-14 items-center gap-4', own && 'font-semibold text-gold-text')}>
      <span className="grid w-10 shrink-0 justify-items-center text-sm text-muted-foreground tabular-nums">
        {leader.rank <= 3 ? <Medal rank={leader.rank} /> : number(leader.rank)}
      </span>
      <Avatar name={name} imageUrl={leader.profileImageUrl} />
      <span className="min-w-0 truncate text-sm font-medium">{name}</span>
      {leader.handle && <HandleLink handle={leader.handle} className="-ml-2 min-w-0 truncate text-sm font-normal" />}
      {own ? <Badge>{t.you}</Badge> : null}
      <span className="ml-auto text-sm font-semibold whitespace-nowrap tabular-nums">
        {valueText(metric, leader.value, t.packs)}
      </span>
    </li>
  )
}

interface MyRankProps {
  rank: number | null
  value: number
  metric: Metric
}

/** The user's rank, if the list doesn't include it. */
function MyRank({ rank, value, metric }: MyRankProps) {
  const t = leaderboardTexts.useT()
  return (
    <div className="panel mt-4 flex min-h-16 flex-wrap items-center justify-between gap-x-4 gap-y-2 rounded-2xl px-5 py-3 text-sm">
      {rank === null ? (
        <>
          <p>
            <span className="font-semibold">{t.notRanked}</span>
            <span className="ml-2 text-muted-foreground">{t.notRankedText}</span>
          </p>
          <Button asChild size="sm">
            <Link to="/open-packs">{t.openPacks}</Link>
          </Button>
        </>
      ) : (
        <>
          <p className="font-semibold">{t.yourRank(number(rank))}</p>
          <p className="font-semibold tabular-nums">{valueText(metric, value, t.packs)}</p>
        </>
      )}
    </div>
  )
}

function LeaderListSkeleton() {
  return (
    <div>
      <PodiumSkeleton />
      <div className="panel mt-4 divide-y divide-line rounded-2xl px-5 py-1">
        {Array.from({ length: skeletonRows }, (_, index) => (
          <div key={index} data-testid="leader-skeleton" className="flex h-14 items-center gap-4">
            <Skeleton className="mx-2.5 size-5" />
            <Skeleton className="size-9 rounded-full" />
            <Skeleton className="h-4 w-32" />
            <Skeleton className="ml-auto h-4 w-20" />
          </div>
        ))}
      </div>
    </div>
  )
}
