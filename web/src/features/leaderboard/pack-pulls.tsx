import { Link } from '@tanstack/react-router'
import { type ReactNode, useId, useState } from 'react'
import { useRecentPulls } from '@/api/activity'
import { type PullPeriod, useTopPulls } from '@/api/pulls'
import { leaderboardTexts } from './texts'
import type { Activity, Pack } from '@/contract/types'
import type { ShownItem } from '@/components/shown-item'
import { dollars } from '@/lib/format'
import { useHoverOrFocus } from '@/lib/use-hover-or-focus'
import { useNow } from '@/lib/use-now'
import { useTimedUpdates } from '@/lib/use-rotation'
import { Art } from '@/components/ui/art'
import { Loaded } from '@/components/ui/loaded'
import { Skeleton } from '@/components/ui/skeleton'
import { PeriodChoice } from './period-choice'
import { SeePull } from './see-pull'
import { timeAgo } from './time-ago'
import { Who } from './who'

const rows = 5

/** What people pulled from a pack: the most valuable cards of a period, and the latest ones. */
export function PackPulls({ pack }: { pack: Pick<Pack, 'id'> }) {
  const t = leaderboardTexts.useT().packPulls
  return (
    <section aria-labelledby="pulls">
      <h2 id="pulls" className="text-xl font-semibold tracking-tight">
        {t.title}
      </h2>
      <div className="mt-5 grid gap-5 lg:grid-cols-2">
        <TopPulls packId={pack.id} />
        <LatestPulls packId={pack.id} />
      </div>
    </section>
  )
}

function TopPulls({ packId }: { packId: string }) {
  const t = leaderboardTexts.useT().topPulls
  const now = useNow()
  const [period, setPeriod] = useState<PullPeriod>('week')
  const pulls = useTopPulls(period, packId)
  return (
    <Panel title={t.title} choice={<PeriodChoice period={period} onPeriod={setPeriod} />}>
      <Loaded query={pulls} failed={t.failed} skeleton={<Rows />} empty={<None text={t.none[period]} />}>
        {(best) => (
          <ul className="divide-y divide-line">
            {best.slice(0, rows).map(({ item, valueCents, createdAt, player, openId }, index) => (
              <Pull
                key={`${item.id} ${createdAt} ${index}`}
                item={item}
                valueCents={valueCents}
                by={player}
                openId={openId}
                at={createdAt}
                now={now}
              />
            ))}
          </ul>
        )}
      </Loaded>
    </Panel>
  )
}

function LatestPulls({ packId }: { packId: string }) {
  const t = leaderboardTexts.useT()
  const pulls = useRecentPulls()
  return (
    <Panel title={t.packPulls.latest}>
      <Loaded query={pulls} failed={t.activityFailed} skeleton={<Rows />}>
        {(all) => <Latest records={all.filter(({ pack }) => pack.id === packId)} />}
      </Loaded>
    </Panel>
  )
}

/** The latest pulls. The list stays as it is while the user hovers or focuses it. */
function Latest({ records }: { records: readonly Activity[] }) {
  const t = leaderboardTexts.useT()
  const now = useNow()
  const { isHoveredOrFocused, handlers } = useHoverOrFocus()
  const latest = records.slice(0, rows)
  const visible = useTimedUpdates(latest, () => latest, isHoveredOrFocused)
  if (records.length === 0) return <None text={t.packPulls.noneLately} />
  return (
    <ul className="divide-y divide-line" {...handlers}>
      {(visible.length > 0 ? visible : latest).map(({ id, best, user, createdAt }) => (
        <Pull key={id} item={best} valueCents={best.valueCents} by={user} at={createdAt} now={now} />
      ))}
    </ul>
  )
}

interface PanelProps {
  title: string
  /** Next to the title. */
  choice?: ReactNode
  children: ReactNode
}

function Panel({ title, choice, children }: PanelProps) {
  const id = useId()
  return (
    <section aria-labelledby={id} className="panel rounded-2xl p-5">
      <div className="mb-2 flex min-h-8 items-center justify-between gap-3">
        <h3 id={id} className="font-semibold">
          {title}
        </h3>
        {choice}
      </div>
      {children}
    </section>
  )
}

interface PullProps {
  item: ShownItem & { id: string }
  valueCents: number
  /** Who pulled it. */
  by?: Activity['user'] | undefined
  /** If its owner shares it. */
  openId?: string | undefined
  at: string
  now: number
}

function Pull({ item, valueCents, by, openId, at, now }: PullProps) {
  const t = leaderboardTexts.useT()
  return (
    <li className="flex items-center gap-3 py-2">
      <Art src={item.imageUrl} alt="" loading="lazy" className="h-12 w-8 shrink-0 object-contain" />
      <div className="min-w-0 flex-1">
        <p className="truncate text-sm font-medium" title={item.name}>
          <Link
            to="/item/$itemId"
            params={{ itemId: item.id }}
            className="rounded-sm underline-offset-4 hover:text-gold-text hover:underline"
          >
            {item.name}
          </Link>
        </p>
        <p className="truncate text-xs text-muted-foreground tabular-nums">
          {by && <Who user={by} />}
          <time dateTime={at}>{timeAgo(at, now, t.ago)}</time>
          {openId && (
            <>
              <span>{' · '}</span>
              <SeePull openId={openId} />
            </>
          )}
        </p>
      </div>
      <p className="font-semibold tabular-nums">{dollars(valueCents)}</p>
    </li>
  )
}

function None({ text }: { text: string }) {
  return <p className="grid h-40 place-items-center text-sm text-muted-foreground">{text}</p>
}

function Rows() {
  return (
    <div className="space-y-3 pt-2">
      {Array.from({ length: rows }, (_, index) => (
        <Skeleton key={index} className="h-12" />
      ))}
    </div>
  )
}
