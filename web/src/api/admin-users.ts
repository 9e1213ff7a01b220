import { queryOptions, useMutation } from '@tanstack/react-query'
import type { AdminUser, Given, SearchHit, SetRole, UserNote } from '@/contract/types'
import { type Handlers, useAct } from './act'
import { api, read } from './client'
import { addPoints } from './deposits'
import { keys } from './keys'
import { definedOnly, listCsvUrl, type ListFilter } from './list-filter'
import { pagedQuery } from './paged-query'

export type UserFilter = ListFilter<'/api/admin/users'>

/** Users that match a filter, newest first, paged. */
export const usersQuery = (filter: UserFilter) =>
  pagedQuery([...keys.users, filter], (page, options) =>
    api.GET('/api/admin/users', { params: { query: { ...definedOnly(filter), ...page } }, ...options }),
  )

/** CSV download URL of the same users. */
export const usersCsvUrl = (filter: UserFilter) => listCsvUrl('/api/admin/users', filter)

/** A user's page without its lists. The admin log records each request, so don't prefetch it. */
export const userPageQuery = (id: string) =>
  queryOptions({
    queryKey: keys.user(id),
    queryFn: ({ signal }) => read(api.GET('/api/admin/users/{id}', { params: { path: { id } }, signal })),
  })

/** Finds users, and what belongs to them, by an id or the start of a name or address. */
export function useAdminSearch(onFound: (hits: readonly SearchHit[]) => void, onFailed: (error: Error) => void) {
  return useMutation({
    mutationFn: (q: string) => read(api.GET('/api/admin/search', { params: { query: { q } } })),
    onSuccess: (hits) => onFound(hits ?? []),
    onError: onFailed,
  })
}

/** A user's signed-in browsers, newest first. */
export const userSessionsQuery = (id: string) =>
  queryOptions({
    queryKey: [...keys.users, 'sessions', id],
    queryFn: ({ signal }) => read(api.GET('/api/admin/users/{id}/sessions', { params: { path: { id } }, signal })),
  })

export const sessionsCsvUrl = (id: string) => `/api/admin/users/${id}/sessions?format=csv`

type LimitChangeFilter = ListFilter<'/api/admin/users/{id}/limit-changes'>

/** A user's changes to their limits, newest first, paged. */
export const limitChangesQuery = (id: string, filter: LimitChangeFilter) =>
  pagedQuery([...keys.adminLists, 'limit-changes', id, filter], (page, options) =>
    api.GET('/api/admin/users/{id}/limit-changes', {
      params: { path: { id }, query: { ...definedOnly(filter), ...page } },
      ...options,
    }),
  )

export const limitChangesCsvUrl = (id: string, filter: LimitChangeFilter) =>
  listCsvUrl('/api/admin/users/{id}/limit-changes', filter).replace('{id}', id)

type NoteFilter = ListFilter<'/api/admin/users/{id}/notes'>

/** Admins' notes about a user, newest first, paged. */
export const userNotesQuery = (id: string, filter: NoteFilter) =>
  pagedQuery([...keys.userNotes(id), filter], (page, options) =>
    api.GET('/api/admin/users/{id}/notes', {
      params: { path: { id }, query: { ...definedOnly(filter), ...page } },
      ...options,
    }),
  )

export const notesCsvUrl = (id: string, filter: NoteFilter) =>
  listCsvUrl('/api/admin/users/{id}/notes', filter).replace('{id}', id)

export function useAddNote(handlers: Handlers<UserNote>) {
  return useAct(
    'addNote',
    ({ id, text }: { id: string; text: string }, { params: { header }, headers }) =>
      read(api.POST('/api/admin/users/{id}/notes', { body: { text }, params: { path: { id }, header }, headers })),
    handlers,
  )
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
