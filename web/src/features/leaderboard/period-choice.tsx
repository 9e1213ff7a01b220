import { type PullPeriod, pullPeriods } from '@/api/pulls'
import { leaderboardTexts } from './texts'

interface PeriodChoiceProps {
  period: PullPeriod
  onPeriod: (period: PullPeriod) => void
}

/** Chooses the period of top pulls. */
export function PeriodChoice({ period, onPeriod }: PeriodChoiceProps) {
  const t = leaderboardTexts.useT().topPulls
  return (
    <div role="group" aria-label={t.period} className="flex rounded-lg border p-0.5">
      {pullPeriods.map((name) => (
        <button
          key={name}
          type="button"
          aria-pressed={name === period}
          onClick={() => onPeriod(name)}
          className="rounded-md px-3 py-1 text-[0.8125rem] font-medium text-muted-foreground hover:text-foreground aria-pressed:bg-raised aria-pressed:text-foreground"
        >
          {t.periods[name]}
        </button>
      ))}
    </div>
  )
}
