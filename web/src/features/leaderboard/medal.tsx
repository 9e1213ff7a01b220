import { leaderboardTexts } from './texts'
import { cn } from '@/lib/cn'

const metals = [
  { name: 'gold', face: 'from-[#f6d88a] to-[#b98a2c] text-[#3d2a05]' },
  { name: 'silver', face: 'from-[#eef1f5] to-[#9aa3b2] text-[#20262f]' },
  { name: 'bronze', face: 'from-[#eab68a] to-[#a0622d] text-[#331a06]' },
] as const

interface MedalProps {
  /** 1 to 3 */
  rank: number
  className?: string
}

export function Medal({ rank, className }: MedalProps) {
  const t = leaderboardTexts.useT()
  const metal = metals[rank - 1] ?? metals[2]
  return (
    <span
      role="img"
      aria-label={`${t.medal[metal.name]}, ${rank}`}
      className={cn(
        'grid size-7 place-items-center rounded-full bg-linear-to-b text-xs font-bold tabular-nums shadow-[inset_0_0_0_1px_rgb(255_255_255/0.35)]',
        metal.face,
        className,
      )}
    >
      <span aria-hidden>{rank}</span>
    </span>
  )
}
