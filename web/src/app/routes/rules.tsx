import { Rules } from '@/features/rules/rules'
import { rulesTexts } from '@/features/rules/texts'
import { config } from '@/lib/config'
import { PageHeader } from '@/ui/page-header'

export function RulesPage() {
  const t = rulesTexts.useT()
  return (
    <>
      <PageHeader title={t.title} text={t.text(config.rules.name)} />
      <Rules />
    </>
  )
}
