import { AdminGate } from '@/features/admin/admin-gate'
import { AdminSearch } from '@/features/admin/admin-search'
import { AdminTabs } from '@/features/admin/admin-tabs'
import { adminTexts } from '@/features/admin/texts'
import { PageHeader } from '@/components/ui/page-header'

export function AdminPage() {
  const t = adminTexts.useT().admin
  return (
    <AdminGate>
      <PageHeader title={t.title} text={t.text}>
        <AdminSearch />
      </PageHeader>
      <AdminTabs />
    </AdminGate>
  )
}
