import { type ReactNode, useState } from 'react'
import { type PullPeriod, useTopPulls } from '@/api/pulls'
import { HandleLink } from '@/components/handle-link'
import { useNow } from '@/lib/use-now'
import { Loaded } from '@/components/ui/loaded'
import { Skeleton } from '@/components/ui/skeleton'
import { PeriodChoice } from './period-choice'
import { PullCard } from './pull-card'
import { SeePull } from './see-pull'
import { leaderboardTexts } from './texts'
import { timeAgo } from './time-ago'

const shown = 4

interface TopPullsProps {
  /** Only pulls from this pack. */
  packId?: string
}

/** The most valuable pulls of today, this week or all time. Renders nothing on errors. */
export function TopPulls({ packId }: TopPullsProps) {
  const t = leaderboardTexts.useT()
  const now = useNow()
  const [period, setPeriod] = useState<PullPeriod>('week')
  const pulls = useTopPulls(period, packId)
  const text = packId ? t.topPulls.ofPack : t.topPulls.text
  return (
    <Loaded
      query={pulls}
      failed={null}
      skeleton={
        <PullsSection text={text} period={period} onPeriod={setPeriod}>
          {Array.from({ length: shown }, (_, index) => (
            <li key={index}>
              <Skeleton className="h-50 rounded-2xl" />
            </li>
          ))}
        </PullsSection>
      }
    >
      {(best) => (
        <PullsSection text={text} period={period} onPeriod={setPeriod}>
          {best.length === 0 && (
            <li className="panel col-span-full grid h-50 place-items-center rounded-2xl text-sm text-muted-foreground">
              {t.topPulls.none[period]}
            </li>
          )}
          {best.slice(0, shown).map(({ item, valueCents, pack, createdAt, player, openId }, index) => (
            <li key={`${item.id} ${createdAt} ${index}`}>
              <PullCard
                item={item}
                valueCents={valueCents}
                pack={pack}
                line={
                  <>
                    <span>{`${t.rank(index + 1)} · `}</span>
                    <time dateTime={createdAt}>{timeAgo(createdAt, now, t.ago)}</time>
                  </>
                }
                more={
                  <>
                    {player && <HandleLink handle={player.handle} className="min-w-0 truncate" />}
                    {openId && <SeePull openId={openId} />}
                  </>
                }
                className="h-50"
              />
            </li>
          ))}
        </PullsSection>
      )}
    </Loaded>
  )
}

interface PullsSectionProps {
  text: string
  period: PullPeriod
  onPeriod: (period: PullPeriod) => void
  children: ReactNode
}

function PullsSection({ text, period, onPeriod, children }: PullsSectionProps) {
  const t = leaderboardTexts.useT()
  return (
    <section aria-labelledby="top-pulls">
      <div className="flex flex-wrap items-end justify-between gap-3">
        <div>
          <h2 id="top-pulls" className="text-xl font-semibold tracking-tight">
            {t.topPulls.title}
          </h2>
          <p className="mt-1 text-muted-foreground">{text}</p>
        </div>
        <PeriodChoice period={period} onPeriod={onPeriod} />
      </div>
      <ul className="mt-5 grid gap-4 md:grid-cols-2 xl:grid-cols-4">{children}</ul>
    </section>
  )
}
