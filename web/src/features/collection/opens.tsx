import { Link } from '@tanstack/react-router'
import { PackageOpen } from 'lucide-react'
import type { ReactNode } from 'react'
import { useOpens } from '@/api/opens'
import { useT } from '@/i18n'
import { opensTexts } from './texts/opens'
import type { Opening } from '@/lib/contract/types'
import { Button } from '@/ui/button'
import { EmptyState } from '@/ui/empty-state'
import { EndlessGrid } from '@/ui/endless-grid'
import { ErrorState } from '@/ui/error-state'
import { Skeleton } from '@/ui/skeleton'
import { OpenCard } from './open-card'

/** Every open of the visitor, newest first. `verify` is the button that checks one. */
export function Opens({ verify }: { verify: (opening: Opening) => ReactNode }) {
  const { openPacks } = useT().collection
  const t = opensTexts.useT()
  const opens = useOpens()
  if (opens.isLoadingError) {
    return <ErrorState title={t.failed} error={opens.error} retry={() => void opens.refetch()} />
  }
  if (opens.data === undefined) {
    return (
      <div className="space-y-4">
        <Skeleton className="h-44 rounded-2xl" />
        <Skeleton className="h-44 rounded-2xl" />
        <Skeleton className="h-44 rounded-2xl" />
      </div>
    )
  }
  if (opens.data.length === 0) {
    return (
      <EmptyState
        icon={<PackageOpen />}
        title={t.empty}
        text={t.emptyText}
        action={
          <Button asChild>
            <Link to="/open-packs">{openPacks}</Link>
          </Button>
        }
      />
    )
  }
  return (
    <EndlessGrid
      list={opens}
      label={t.list}
      failed={t.failed}
      columns="grid-cols-1"
      skeleton={<Skeleton className="h-44 rounded-2xl" />}
      idOf={({ openId }) => openId}
    >
      {(opening) => <OpenCard opening={opening} verify={verify(opening)} />}
    </EndlessGrid>
  )
}
