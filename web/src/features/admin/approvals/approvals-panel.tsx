import { useInfiniteQuery } from '@tanstack/react-query'
import { ShieldCheck } from 'lucide-react'
import { lazy, useState } from 'react'
import { approvalsCsvUrl, approvalsQuery } from '@/api/approvals'
import type { Approval } from '@/contract/types'
import { clearIfCurrent } from '@/components/ui/dialog'
import { DialogSlot } from '@/components/ui/dialog-slot'
import { AdminList } from '../admin-list'
import { anyTime, periodOf } from '../period-filter'
import { adminTexts } from '../texts'
import { ApprovalCard } from './approval-card'
import type { Deciding } from './decide-dialog'

const DecideDialog = lazy(() => import('./decide-dialog'))

const states = ['pending', 'approved', 'refused', 'expired'] as const

/** Requests that need a second admin, by status and type. */
export default function ApprovalsPanel() {
  const t = adminTexts.useT().approvals
  const { list } = adminTexts.useT()
  const [state, setState] = useState<Approval['state']>('pending')
  const [kind, setKind] = useState<Approval['kind'] | ''>('')
  const [days, setDays] = useState(anyTime)
  const [deciding, setDeciding] = useState<Deciding>()
  const filter = { ...periodOf(days), state, kind: kind || undefined }
  return (
    <>
      <AdminList
        list={useInfiniteQuery(approvalsQuery(filter))}
        label={t.states[state]}
        failed={t.failed}
        text={t.text}
        filter={{
          label: list.status,
          value: state,
          options: states.map((option) => [option, t.states[option]] as const),
          onChange: setState,
        }}
        kind={{
          label: list.kind,
          value: kind,
          options: [
            ['', list.all],
            ...(Object.entries(t.kinds) as [Approval['kind'], string][]).map(
              ([option, name]) => [option, name] as const,
            ),
          ],
          onChange: setKind,
        }}
        period={{ value: days, onChange: setDays }}
        csv={{ url: approvalsCsvUrl(filter), label: t.csv }}
        empty={{ icon: <ShieldCheck />, title: t.none, text: t.noneText }}
        entryHeight="h-44"
        skeletonCount={2}
        idOf={({ id }) => id}
      >
        {(approval) => (
          <ApprovalCard approval={approval} onDecide={(decision) => setDeciding({ approval, decision })} />
        )}
      </AdminList>
      <DialogSlot open={deciding !== undefined} onClose={() => setDeciding(undefined)}>
        {deciding && <DecideDialog {...deciding} onClose={() => setDeciding(clearIfCurrent(deciding))} />}
      </DialogSlot>
    </>
  )
}
