import { lazy, Suspense } from 'react'
import { PublicBooks } from '@/features/publicbooks/public-books'
import { publicbooksTexts } from '@/features/publicbooks/texts'
import { PageHeader } from '@/components/ui/page-header'
import { Skeleton } from '@/components/ui/skeleton'

// Below the fold: its tables come beside the first look.
const PackBooks = lazy(async () => ({ default: (await import('@/features/proofs/pack-statistics')).PackStatistics }))

export function BooksPage() {
  const t = publicbooksTexts.useT()
  return (
    <>
      <PageHeader title={t.title} text={t.text} />
      <div className="space-y-12">
        <PublicBooks />
        <Suspense fallback={<Skeleton className="h-[40rem] rounded-2xl" />}>
          <PackBooks />
        </Suspense>
      </div>
    </>
  )
}
