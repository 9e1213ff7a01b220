import { Rules } from '@/features/houserules/rules'
import { houserulesTexts } from '@/features/houserules/texts'
import { config } from '@/lib/config'
import { PageHeader } from '@/components/ui/page-header'

export function RulesPage() {
  const t = houserulesTexts.useT()
  return (
    <>
      <PageHeader title={t.title} text={t.text(config.rules.name)} />
      <Rules />
    </>
  )
}
