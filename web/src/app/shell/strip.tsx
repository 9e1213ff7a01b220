import { type ComponentType, lazy, Suspense } from 'react'
import { leaderboardTexts } from '@/features/leaderboard/texts'
import { usePageIdle } from '@/lib/page-idle'

// Without it a page is whole: where its code cannot be had, its place stays empty.
const PullStrip = lazy<ComponentType>(() =>
  Promise.all([import('../idle'), leaderboardTexts.load()]).then(
    ([idle]) => ({ default: idle.PullStrip }),
    () => ({ default: () => null }),
  ),
)

/** The place of the live pulls, held free from the start. */
export function Strip() {
  const settled = usePageIdle()
  return (
    <div className="@container h-11 border-b bg-card narrow:hidden print:hidden">
      <Suspense>{settled && <PullStrip />}</Suspense>
    </div>
  )
}
