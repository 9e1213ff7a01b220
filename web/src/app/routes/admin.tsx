import { Link } from '@tanstack/react-router'
import { ShieldX } from 'lucide-react'
import { AdminTabs } from '@/features/admin/admin-tabs'
import { adminTexts } from '@/features/admin/texts'
import { usePageTitle } from '@/lib/page-title'
import { useSession } from '@/lib/session'
import { Button } from '@/components/ui/button'
import { EmptyState } from '@/components/ui/empty-state'
import { PageHeader } from '@/components/ui/page-header'
import { Skeleton } from '@/components/ui/skeleton'

export function AdminPage() {
  const t = adminTexts.useT().admin
  const { status, user } = useSession()
  if (status === 'loading') return <Skeleton className="h-96 rounded-2xl" />
  if (user?.role !== 'admin') return <Denied />
  return (
    <>
      <PageHeader title={t.title} text={t.text} />
      <AdminTabs />
    </>
  )
}

function Denied() {
  const t = adminTexts.useT().admin
  usePageTitle(t.denied)
  return (
    <EmptyState
      level={1}
      icon={<ShieldX />}
      title={t.denied}
      text={t.deniedText}
      action={
        <Button asChild variant="secondary">
          <Link to="/app">{t.home}</Link>
        </Button>
      }
      className="py-32"
    />
  )
}
