import { Link } from '@tanstack/react-router'
import { leaderboardTexts } from './texts'

/** Links to a pull that its owner shares. */
export function SeePull({ openId }: { openId: string }) {
  const t = leaderboardTexts.useT().topPulls
  return (
    <Link
      to="/pull/$openId"
      params={{ openId }}
      className="relative z-1 rounded-sm whitespace-nowrap text-gold-text underline-offset-4 hover:underline"
    >
      {t.see}
    </Link>
  )
}
