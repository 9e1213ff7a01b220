import { useParams } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'
import { PullPage as Content } from '@/features/pulls/pull-page'

// Below the fold.
const TopPulls = lazy(async () => ({ default: (await import('@/features/leaderboard/top-pulls')).TopPulls }))

export function PullPage() {
  const { openId } = useParams({ from: '/pull/$openId' })
  return (
    <Content
      key={openId}
      openId={openId}
      topPulls={(packId) => (
        <Suspense>
          <TopPulls packId={packId} />
        </Suspense>
      )}
    />
  )
}
