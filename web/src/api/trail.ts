import type { paths } from '@/lib/contract/schema'
import { api } from './client'
import { keys } from './keys'
import { pagesOf } from './pages'

type TrailQuery = NonNullable<paths['/api/admin/audit']['get']['parameters']['query']>

/** What of the audit trail is asked for. */
export type TrailFilter = Pick<TrailQuery, 'actor' | 'act' | 'subject' | 'search' | 'from' | 'to'>

/** What was done to the house and by whom, newest first, a page at a time. */
export const trailQuery = (filter: TrailFilter) =>
  pagesOf([...keys.trail, filter], (page, options) =>
    api.GET('/api/admin/audit', { params: { query: { ...filter, ...page } }, ...options }),
  )

/** Where all of it is had as a CSV file. */
export function trailFile(filter: TrailFilter): string {
  return `/api/admin/audit?${new URLSearchParams({ ...filter, format: 'csv' }).toString()}`
}
