import { lazy, Suspense } from 'react'
import { Books } from '@/features/publicbooks/books'
import { publicbooksTexts } from '@/features/publicbooks/texts'
import { PageHeader } from '@/components/ui/page-header'
import { Skeleton } from '@/components/ui/skeleton'

// Below the fold: its tables come beside the first look.
const PackBooks = lazy(async () => ({ default: (await import('@/features/proofs/pack-books')).PackBooks }))

export function BooksPage() {
  const t = publicbooksTexts.useT()
  return (
    <>
      <PageHeader title={t.title} text={t.text} />
      <div className="space-y-12">
        <Books />
        <Suspense fallback={<Skeleton className="h-[40rem] rounded-2xl" />}>
          <PackBooks />
        </Suspense>
      </div>
    </>
  )
}
