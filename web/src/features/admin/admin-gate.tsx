import { Link } from '@tanstack/react-router'
import { ShieldX } from 'lucide-react'
import type { ReactNode } from 'react'
import { usePageTitle } from '@/lib/page-title'
import { useSession } from '@/lib/session'
import { Button } from '@/components/ui/button'
import { EmptyState } from '@/components/ui/empty-state'
import { Skeleton } from '@/components/ui/skeleton'
import { adminTexts } from './texts'

/** Shows an admin page to admins only. The server refuses everybody else, too. */
export function AdminGate({ children }: { children: ReactNode }) {
  const { status, user } = useSession()
  if (status === 'loading') return <Skeleton className="h-96 rounded-2xl" />
  return user?.role === 'admin' ? children : <Denied />
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
