import { Badge } from '@/components/ui/badge'
import { Facts } from '@/components/ui/facts'
import { BackupsPanel } from './backups-panel'
import { FeesPanel } from './fees-panel'
import { adminTexts } from './texts'

export function SettingsPanel() {
  const t = adminTexts.useT().admin.settings
  return (
    <div className="space-y-4">
      <FeesPanel />
      <BackupsPanel />
      <div className="panel max-w-xl rounded-2xl p-6">
        <p className="text-sm text-muted-foreground">{t.text}</p>
        <Facts
          className="mt-4 divide-y divide-line *:py-3"
          facts={[
            { label: t.market, value: <Badge variant="positive">{t.active}</Badge> },
            { label: t.fair, value: <Badge variant="positive">{t.enabled}</Badge> },
            { label: t.seeds, value: <Badge variant="positive">{t.enabled}</Badge> },
          ]}
        />
      </div>
    </div>
  )
}
