import { useInfiniteQuery } from '@tanstack/react-query'
import { ScrollText } from 'lucide-react'
import { useState } from 'react'
import { type AdminLogFilter, adminLogQuery } from '@/api/admin-log'
import { EmptyState } from '@/components/ui/empty-state'
import { LoadedGrid } from '@/components/ui/loaded-grid'
import { Skeleton } from '@/components/ui/skeleton'
import { adminTexts } from '../texts'
import { ActCard } from './act-card'
import { TrailFinder } from './trail-finder'

/** The admin log. */
export default function TrailPanel() {
  const t = adminTexts.useT().log
  const [filter, setFilter] = useState<AdminLogFilter>({})
  const list = useInfiniteQuery(adminLogQuery(filter))
  return (
    <div className="space-y-4">
      <p className="text-sm text-muted-foreground">{t.text}</p>
      <TrailFinder filter={filter} onFind={setFilter} />
      <LoadedGrid
        list={list}
        label={t.list}
        failed={t.failed}
        columns="grid-cols-1"
        gap={12}
        skeleton={<Skeleton className="h-44 rounded-2xl" />}
        places={4}
        idOf={({ id }) => id}
        empty={
          <EmptyState
            icon={<ScrollText />}
            title={t.none}
            text={t.noneText}
            level={3}
            className="panel rounded-2xl py-10"
          />
        }
      >
        {(act) => <ActCard act={act} />}
      </LoadedGrid>
    </div>
  )
}
