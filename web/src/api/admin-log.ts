import type { paths } from '@/contract/schema'
import { api } from './client'
import { keys } from './keys'
import { pagedQuery } from './paged-query'

type TrailQuery = NonNullable<paths['/api/admin/audit']['get']['parameters']['query']>

/** The filters of the admin log. */
export type AdminLogFilter = Pick<TrailQuery, 'actor' | 'act' | 'subject' | 'search' | 'from' | 'to'>

/** The admin log, newest first, by page. */
export const adminLogQuery = (filter: AdminLogFilter) =>
  pagedQuery([...keys.adminLog, filter], (page, options) =>
    api.GET('/api/admin/audit', { params: { query: { ...filter, ...page } }, ...options }),
  )

/** The address of the filtered admin log as a CSV file. */
export function adminLogCsvUrl(filter: AdminLogFilter): string {
  return `/api/admin/audit?${new URLSearchParams({ ...filter, format: 'csv' }).toString()}`
}
