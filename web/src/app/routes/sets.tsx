import SetList from '@/features/sets/set-list'
import { setsTexts } from '@/features/sets/texts'
import { PageHeader } from '@/components/ui/page-header'

export function SetsPage() {
  const t = setsTexts.useT().sets
  return (
    <>
      <PageHeader title={t.title} text={t.text} />
      <SetList />
    </>
  )
}
