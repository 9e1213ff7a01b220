import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useActivity } from '@/api/activity'
import { boardTexts } from './texts'
import type { Activity } from '@/lib/contract/types'
import { dollars } from '@/lib/format'
import { Art } from '@/ui/art'
import { RarityBadge } from '@/domain/rarity-badge'
import { Skeleton } from '@/ui/skeleton'
import { timeAgo } from './time-ago'

const shown = 4
const grid = 'mt-5 grid grid-cols-2 gap-4 xl:grid-cols-4'

/** The best of what came out of packs lately. Where nothing has, or it cannot be had, the page goes without. */
export function LivePulls() {
  const t = boardTexts.useT()
  const activity = useActivity()
  const [now] = useState(() => Date.now())
  if (activity.isError || activity.data?.length === 0) return null
  return (
    <section aria-labelledby="live-pulls">
      <h2 id="live-pulls" className="text-xl font-semibold tracking-tight">
        {t.live}
      </h2>
      <p className="mt-1 text-muted-foreground">{t.liveText}</p>
      <ul className={grid}>
        {activity.data?.slice(0, shown).map((record) => (
          <li key={record.id}>
            <Pull record={record} now={now} />
          </li>
        )) ?? Array.from({ length: shown }, (_, index) => <Skeleton key={index} className="h-40 rounded-2xl" />)}
      </ul>
    </section>
  )
}

function Pull({ record, now }: { record: Activity; now: number }) {
  const t = boardTexts.useT()
  const { best, pack, user } = record
  return (
    <article className="panel relative flex h-40 gap-4 rounded-2xl p-4 transition-colors hover:border-line-strong">
      <Art src={best.imageUrl} alt="" loading="lazy" className="h-full w-auto shrink-0 lift" />
      <div className="flex min-w-0 flex-1 flex-col">
        <RarityBadge rarity={best.rarity} size="sm" className="self-start" />
        <h3 className="mt-2 line-clamp-2 text-sm leading-5 font-medium">{best.name}</h3>
        <p className="mt-1 text-sm font-semibold tabular-nums">{dollars(best.valueCents)}</p>
        <p className="mt-auto truncate text-xs text-muted-foreground">
          <Link
            to="/pack/$packId"
            params={{ packId: pack.id }}
            className="after:absolute after:inset-0 after:rounded-2xl focus-visible:outline-none focus-visible:after:outline-2 focus-visible:after:outline-ring"
          >
            {pack.name}
          </Link>
        </p>
        <p className="truncate text-xs text-muted-foreground">
          {user.firstName || t.anonymous} ·{' '}
          <time dateTime={record.createdAt}>{timeAgo(record.createdAt, now, t.ago)}</time>
        </p>
      </div>
    </article>
  )
}
