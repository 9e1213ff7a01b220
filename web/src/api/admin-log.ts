import { api } from './client'
import { keys } from './keys'
import { definedOnly, listCsvUrl, type ListFilter } from './list-filter'
import { pagedQuery } from './paged-query'

export type AdminLogFilter = ListFilter<'/api/admin/audit'>

/** The admin log, newest first, in pages. */
export const adminLogQuery = (filter: AdminLogFilter) =>
  pagedQuery([...keys.adminLog, filter], (page, options) =>
    api.GET('/api/admin/audit', { params: { query: { ...definedOnly(filter), ...page } }, ...options }),
  )

/** CSV download URL of the filtered admin log. */
export const adminLogCsvUrl = (filter: AdminLogFilter) => listCsvUrl('/api/admin/audit', filter)
