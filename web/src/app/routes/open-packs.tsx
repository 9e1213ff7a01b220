import { lazy, Suspense } from 'react'
import { Store } from '@/features/store/store'
import { useT } from '@/i18n'
import { PageHeader } from '@/components/ui/page-header'
import { usePackAction } from '../use-pack-action'

// Below the fold.
const TopPulls = lazy(async () => ({ default: (await import('@/features/leaderboard/top-pulls')).TopPulls }))

export function OpenPacksPage() {
  const t = useT().catalogue.store
  const { action, dialog } = usePackAction()
  return (
    <div className="narrow:hidden">
      <PageHeader title={t.title} text={t.text} />
      <Store action={action} />
      <div className="mt-14">
        <Suspense>
          <TopPulls />
        </Suspense>
      </div>
      {dialog}
    </div>
  )
}
