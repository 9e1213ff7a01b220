import type { AdminDeposit } from '@/contract/types'
import { type Handlers, useAct } from './act'
import { api, read } from './client'
import { keys } from './keys'
import { definedOnly, listCsvUrl, type ListFilter } from './list-filter'
import { pagedQuery } from './paged-query'

type AdminDepositFilter = ListFilter<'/api/admin/deposits'>

/** All users' deposits that match a filter, newest first, in pages. */
export const adminDepositsQuery = (filter: AdminDepositFilter) =>
  pagedQuery([...keys.adminDeposits, filter], (page, options) =>
    api.GET('/api/admin/deposits', { params: { query: { ...definedOnly(filter), ...page } }, ...options }),
  )

/** CSV download URL of the same deposits. */
export const depositsCsvUrl = (filter: AdminDepositFilter) => listCsvUrl('/api/admin/deposits', filter)

/** Payments not matched to a deposit, newest first, in pages. */
export const orphansQuery = pagedQuery(keys.orphans, (query, options) =>
  api.GET('/api/admin/orphans', { params: { query }, ...options }),
)

interface Resolved {
  id: string
  action: 'credit' | 'refund' | 'reject'
  reason: string
}

export function useResolveDeposit(handlers: Handlers<AdminDeposit>) {
  return useAct(
    'resolve',
    ({ id, ...body }: Resolved, { params: { header }, headers }) =>
      read(api.POST('/api/admin/deposits/{id}/resolve', { body, params: { path: { id }, header }, headers })),
    handlers,
  )
}
