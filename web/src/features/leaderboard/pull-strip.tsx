import { Link } from '@tanstack/react-router'
import { Pause, Play } from 'lucide-react'
import { useRecentPulls } from '@/api/activity'
import { usePackName } from '@/i18n/names'
import { rarityInk } from '@/components/rarity-ink'
import type { Activity } from '@/contract/types'
import { cn } from '@/lib/cn'
import { dollars } from '@/lib/format'
import { setLive, useLive } from '@/lib/live-setting'
import { useHoverOrFocus } from '@/lib/use-hover-or-focus'
import { useRotation } from '@/lib/use-rotation'
import { Art } from '@/components/ui/art'
import { Button } from '@/components/ui/button'
import { Tooltip } from '@/components/ui/tooltip'
import { leaderboardTexts } from './texts'

/** The class of each slot: wider strips show more. */
const slotClasses = ['', '', 'hidden @3xl:block', 'hidden @4xl:block']

/** Recent pulls in one line, with a pause button. It isn't a live region: screen readers don't announce it. */
export default function PullStrip() {
  const t = leaderboardTexts.useT()
  const pulls = useRecentPulls().data
  const live = useLive()
  return (
    <section aria-label={t.latest} className="mx-auto flex h-full max-w-7xl items-center gap-3 px-4 md:px-8">
      <p className="flex shrink-0 items-center gap-2 text-xs font-semibold">
        <span aria-hidden className={cn('size-2 rounded-full', live ? 'bg-positive-text' : 'bg-muted-foreground')} />
        <span>{t.latest}</span>
      </p>
      <div className="min-w-0 flex-1">
        {pulls?.length === 0 && <p className="truncate text-xs text-muted-foreground">{t.noActivity}</p>}
        {pulls && pulls.length > 0 && <Pulls pulls={pulls} live={live} />}
      </div>
      <LiveToggle live={live} />
    </section>
  )
}

function LiveToggle({ live }: { live: boolean }) {
  const t = leaderboardTexts.useT()
  const label = live ? t.pause : t.play
  const Icon = live ? Pause : Play
  return (
    <Tooltip text={label}>
      <Button variant="ghost" size="icon" className="size-8" aria-label={label} onClick={() => setLive(!live)}>
        <Icon aria-hidden />
      </Button>
    </Tooltip>
  )
}

function Pulls({ pulls, live }: { pulls: readonly Activity[]; live: boolean }) {
  const { isHoveredOrFocused, handlers } = useHoverOrFocus()
  const shown = useRotation(pulls, slotClasses.length, !live || isHoveredOrFocused)
  return (
    <ul className="grid grid-cols-2 gap-x-2 @3xl:grid-cols-3 @4xl:grid-cols-4" {...handlers}>
      {shown.map((pull, slot) => (
        <li key={slot} className={cn('min-w-0', slotClasses[slot])}>
          <Pull key={pull.id} pull={pull} />
        </li>
      ))}
    </ul>
  )
}

function Pull({ pull: { best, pack } }: { pull: Activity }) {
  const packName = usePackName()
  return (
    <Link
      to="/item/$itemId"
      params={{ itemId: best.id }}
      preload={false} // users mostly hover to stop the strip, not to open a link
      title={`${best.name} · ${packName(pack)}`}
      className="flex animate-in items-center gap-2 rounded-md px-1.5 py-0.5 text-xs fade-in duration-700 hover:bg-muted motion-reduce:animate-none"
    >
      <Art src={best.imageUrl} alt="" loading="idle" className="h-7 w-4.5 shrink-0 object-contain" />
      <span className="min-w-0 flex-1 truncate text-muted-foreground">{best.name}</span>
      <span className={cn('font-semibold tabular-nums', rarityInk[best.rarity])}>{dollars(best.valueCents)}</span>
    </Link>
  )
}
