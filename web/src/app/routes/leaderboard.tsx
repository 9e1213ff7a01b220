import { Leaderboard } from '@/features/leaderboard/leaderboard'
import { leaderboardTexts } from '@/features/leaderboard/texts'
import { PageHeader } from '@/components/ui/page-header'

export function LeaderboardPage() {
  const t = leaderboardTexts.useT()
  return (
    <>
      <PageHeader title={t.title} text={t.text} />
      <Leaderboard />
    </>
  )
}
