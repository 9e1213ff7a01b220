import { type ComponentType, lazy, Suspense } from 'react'
import { leaderboardTexts } from '@/features/leaderboard/texts'
import { usePageIdle } from '@/lib/page-idle'

// Optional: if its code fails to load, the slot stays empty.
const PullStrip = lazy<ComponentType>(() =>
  Promise.all([import('../idle'), leaderboardTexts.load()]).then(
    ([idle]) => ({ default: idle.PullStrip }),
    () => ({ default: () => null }),
  ),
)

/** Reserves the space of the live pulls, which load once the page is idle. */
export function PullStripSlot() {
  const settled = usePageIdle()
  return (
    <div className="@container h-11 border-b bg-card narrow:hidden print:hidden">
      <Suspense>{settled && <PullStrip />}</Suspense>
    </div>
  )
}
