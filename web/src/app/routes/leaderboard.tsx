import { Leaderboard } from '@/features/board/leaderboard'
import { boardTexts } from '@/features/board/texts'
import { PageHeader } from '@/ui/page-header'

export function LeaderboardPage() {
  const t = boardTexts.useT()
  return (
    <>
      <PageHeader title={t.title} text={t.text} />
      <Leaderboard />
    </>
  )
}
