import { PackStatistics } from '@/features/proofs/pack-statistics'
import { PublicBooks } from '@/features/publicbooks/public-books'
import { publicbooksTexts } from '@/features/publicbooks/texts'
import { PageHeader } from '@/components/ui/page-header'

export function BooksPage() {
  const t = publicbooksTexts.useT()
  return (
    <>
      <PageHeader title={t.title} text={t.text} />
      <div className="space-y-12">
        <PublicBooks />
        <PackStatistics />
      </div>
    </>
  )
}
