import { Help } from '@/features/help/help'
import { helpTexts } from '@/features/help/texts'
import { PageHeader } from '@/components/ui/page-header'

export function HelpPage() {
  const t = helpTexts.useT()
  return (
    <>
      <PageHeader title={t.title} text={t.text} />
      <Help />
    </>
  )
}
