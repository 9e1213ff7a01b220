import type { paths } from '@/contract/schema'
import { api } from './client'
import { keys } from './keys'
import { pagedQuery } from './paged-query'

type AdminLogQuery = NonNullable<paths['/api/admin/audit']['get']['parameters']['query']>

/** The filters of the admin log. */
export type AdminLogFilter = Pick<AdminLogQuery, 'actor' | 'act' | 'subject' | 'search' | 'from' | 'to'>

/** The admin log, newest first, in pages. */
export const adminLogQuery = (filter: AdminLogFilter) =>
  pagedQuery([...keys.adminLog, filter], (page, options) =>
    api.GET('/api/admin/audit', { params: { query: { ...filter, ...page } }, ...options }),
  )

/** CSV download URL of the filtered admin log. */
export function adminLogCsvUrl(filter: AdminLogFilter): string {
  return `/api/admin/audit?${new URLSearchParams({ ...filter, format: 'csv' }).toString()}`
}
