import { leaderboardTexts } from './texts'
import { HandleLink } from '@/components/handle-link'
import type { Leader } from '@/contract/types'
import { cn } from '@/lib/cn'
import { Avatar } from '@/components/ui/avatar'
import { Skeleton } from '@/components/ui/skeleton'
import { Medal } from './medal'
import { type Metric, valueText } from './ranking'

/** In document order for screen readers; CSS places the first in the middle. */
const steps = [
  { order: 'order-2', height: 'h-56', light: 'bg-gold/10' },
  { order: 'order-1', height: 'h-48', light: '' },
  { order: 'order-3', height: 'h-44', light: '' },
] as const

const row = 'grid grid-cols-3 items-end gap-4'

interface PodiumProps {
  leaders: readonly Leader[]
  metric: Metric
}

export function Podium({ leaders, metric }: PodiumProps) {
  const t = leaderboardTexts.useT()
  return (
    <ol aria-label={t.podium} className={row}>
      {steps.map((step, index) => {
        const leader = leaders[index]
        return leader ? (
          <LeaderStep key={index} step={step} leader={leader} metric={metric} />
        ) : (
          <EmptyStep key={index} step={step} />
        )
      })}
    </ol>
  )
}

type Step = (typeof steps)[number]

function LeaderStep({ step, leader, metric }: { step: Step; leader: Leader; metric: Metric }) {
  const t = leaderboardTexts.useT()
  const name = leader.username || t.unnamed(leader.number)
  return (
    <li
      className={cn(
        'panel flex flex-col items-center justify-center gap-1 rounded-2xl px-4 text-center',
        step.order,
        step.height,
        step.light,
      )}
    >
      <span className="relative mb-3">
        <Avatar name={name} imageUrl={leader.profileImageUrl} className="size-16 text-lg" />
        <Medal rank={leader.rank} className="absolute -bottom-2 left-1/2 -translate-x-1/2" />
      </span>
      <span className="max-w-full truncate font-semibold">{name}</span>
      {leader.handle && <HandleLink handle={leader.handle} className="max-w-full truncate text-sm" />}
      <span className="text-lg font-semibold tabular-nums text-gold-text">
        {valueText(metric, leader.value, t.packs)}
      </span>
    </li>
  )
}

function EmptyStep({ step }: { step: Step }) {
  return <li aria-hidden className={cn('rounded-2xl border border-dashed border-line', step.order, step.height)} />
}

export function PodiumSkeleton() {
  return (
    <div className={row}>
      {steps.map((step) => (
        <div
          key={step.order}
          className={cn(
            'panel grid place-content-center justify-items-center gap-3 rounded-2xl',
            step.order,
            step.height,
          )}
        >
          <Skeleton className="size-16 rounded-full" />
          <Skeleton className="h-4 w-20" />
        </div>
      ))}
    </div>
  )
}
