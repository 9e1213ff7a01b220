import { Link } from '@tanstack/react-router'
import { PackageOpen } from 'lucide-react'
import type { ReactNode } from 'react'
import { useOpens } from '@/api/opens'
import { inventoryTexts } from './texts'
import type { Opening } from '@/contract/types'
import { Button } from '@/components/ui/button'
import { EmptyState } from '@/components/ui/empty-state'
import { LoadedGrid } from '@/components/ui/loaded-grid'
import { Skeleton } from '@/components/ui/skeleton'
import { OpenCard } from './open-card'

/** The user's pull history, newest first. `actions` renders a pull's buttons. */
export function Opens({ actions }: { actions: (opening: Opening) => ReactNode }) {
  const { collection, opens: t } = inventoryTexts.useT()
  const opens = useOpens()
  return (
    <LoadedGrid
      list={opens}
      label={t.list}
      failed={t.failed}
      columns="grid-cols-1"
      skeleton={<Skeleton className="h-44 rounded-2xl" />}
      skeletonCount={3}
      empty={
        <EmptyState
          icon={<PackageOpen />}
          title={t.empty}
          text={t.emptyText}
          action={
            <Button asChild>
              <Link to="/open-packs">{collection.openPacks}</Link>
            </Button>
          }
        />
      }
      idOf={({ openId }) => openId}
    >
      {(opening) => <OpenCard opening={opening} actions={actions(opening)} />}
    </LoadedGrid>
  )
}
