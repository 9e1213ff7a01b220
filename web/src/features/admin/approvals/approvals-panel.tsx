import { useInfiniteQuery } from '@tanstack/react-query'
import { ShieldCheck } from 'lucide-react'
import { lazy, useState } from 'react'
import { approvalsQuery } from '@/api/approvals'
import type { Approval } from '@/contract/types'
import { clearIfCurrent } from '@/components/ui/dialog'
import { DialogSlot } from '@/components/ui/dialog-slot'
import { EmptyState } from '@/components/ui/empty-state'
import { LoadedGrid } from '@/components/ui/loaded-grid'
import { Select } from '@/components/ui/select'
import { Skeleton } from '@/components/ui/skeleton'
import { adminTexts } from '../texts'
import { ApprovalCard } from './approval-card'
import type { Deciding } from './decide-dialog'

const DecideDialog = lazy(() => import('./decide-dialog'))

const states = ['pending', 'approved', 'refused', 'expired'] as const

/** What waits for a second admin, and what became of the rest. */
export default function ApprovalsPanel() {
  const t = adminTexts.useT().approvals
  const [state, setState] = useState<Approval['state']>('pending')
  const [deciding, setDeciding] = useState<Deciding>()
  const list = useInfiniteQuery(approvalsQuery(state))
  return (
    <div className="space-y-4">
      <div className="flex flex-wrap items-center justify-between gap-4">
        <p className="text-sm text-muted-foreground">{t.text}</p>
        <Select
          aria-label={t.shown}
          value={state}
          onChange={({ target }) => setState(states.find((one) => one === target.value) ?? 'pending')}
          className="w-56"
        >
          {states.map((one) => (
            <option key={one} value={one}>
              {t.states[one]}
            </option>
          ))}
        </Select>
      </div>
      <LoadedGrid
        list={list}
        label={t.states[state]}
        failed={t.failed}
        columns="grid-cols-1"
        gap={12}
        skeleton={<Skeleton className="h-44 rounded-2xl" />}
        places={2}
        idOf={({ id }) => id}
        empty={
          <EmptyState
            icon={<ShieldCheck />}
            title={t.none}
            text={t.noneText}
            level={3}
            className="panel rounded-2xl py-10"
          />
        }
      >
        {(approval) => (
          <ApprovalCard approval={approval} onDecide={(decision) => setDeciding({ approval, decision })} />
        )}
      </LoadedGrid>
      <DialogSlot open={deciding !== undefined} onClose={() => setDeciding(undefined)}>
        {deciding && <DecideDialog {...deciding} onClose={() => setDeciding(clearIfCurrent(deciding))} />}
      </DialogSlot>
    </div>
  )
}
