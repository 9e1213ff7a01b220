import type { AdminUser, Given, SetRole } from '@/contract/types'
import { type Handlers, useAct } from './act'
import { api, read } from './client'
import { addPoints } from './deposits'
import { keys } from './keys'
import { pagedQuery } from './paged-query'

export interface UserFilter {
  /** The beginning of an address, or a part of a name. */
  search?: string | undefined
  role?: AdminUser['role'] | undefined
}

/** Users that match a filter, newest first, paged. */
export const usersQuery = ({ search, role }: UserFilter) =>
  pagedQuery([...keys.users, { search, role }], (query, options) =>
    api.GET('/api/admin/users', {
      params: { query: { ...query, ...(search && { search }), ...(role && { role }) } },
      ...options,
    }),
  )

/** CSV download URL. */
export function usersCsvUrl({ search, role }: UserFilter): string {
  const query = new URLSearchParams({ ...(search && { search }), ...(role && { role }), format: 'csv' })
  return `/api/admin/users?${query.toString()}`
}

interface Reasoned {
  id: string
  reason: string
}

export function useSetRole(handlers: Handlers<SetRole>) {
  return useAct(
    'setRole',
    ({ id, ...body }: Reasoned & { role: AdminUser['role'] }, { params: { header }, headers }) =>
      read(api.POST('/api/admin/users/{id}/role', { body, params: { path: { id }, header }, headers })),
    handlers,
  )
}

export function useEndSessions(handlers: Handlers<AdminUser>) {
  return useAct(
    'endSessions',
    ({ id, ...body }: Reasoned, { params: { header }, headers }) =>
      read(api.POST('/api/admin/users/{id}/sign-out', { body, params: { path: { id }, header }, headers })),
    handlers,
  )
}

interface Credited {
  /** In dollars. */
  amount: number
  walletAddress: string
  reason: string
}

export function useCreditPoints(handlers: Handlers<Given>) {
  return useAct('credit', (body: Credited, keyed) => addPoints(body, keyed), handlers)
}
