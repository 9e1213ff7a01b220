import type { Approval } from '@/contract/types'
import { type Handlers, useAct } from './act'
import { api, read } from './client'
import { keys } from './keys'
import { definedOnly, listCsvUrl, type ListFilter } from './list-filter'
import { pagedQuery } from './paged-query'

type ApprovalFilter = ListFilter<'/api/admin/approvals'>

/** Requests waiting for a second admin, or decided ones, newest first, in pages. */
export const approvalsQuery = (filter: ApprovalFilter) =>
  pagedQuery([...keys.approvals, filter], (page, options) =>
    api.GET('/api/admin/approvals', { params: { query: { ...definedOnly(filter), ...page } }, ...options }),
  )

/** CSV download URL of the same requests. */
export const approvalsCsvUrl = (filter: ApprovalFilter) => listCsvUrl('/api/admin/approvals', filter)

interface Decided {
  id: string
  decision: 'approve' | 'refuse'
  reason: string
}

export function useDecide(handlers: Handlers<Approval>) {
  return useAct(
    'decide',
    ({ id, ...body }: Decided, { params: { header }, headers }) =>
      read(api.POST('/api/admin/approvals/{id}', { body, params: { path: { id }, header }, headers })),
    handlers,
  )
}
