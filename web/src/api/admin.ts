import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import type { paths } from '@/contract/schema'
import type { AdminDeposit, AdminItem, AdminUser, Given, MadePack, SetRole } from '@/contract/types'
import { type Handlers, useAct } from './act'
import { api, read } from './client'
import { give } from './deposit'
import { keys } from './keys'
import { pagesOf } from './pages'

/** Every pack, on sale or not. */
export const adminPacksQuery = queryOptions({
  queryKey: keys.adminPacks,
  queryFn: ({ signal }) => read(api.GET('/api/admin/packs', { signal })),
})

type Body<P extends '/api/admin/items' | '/api/admin/packs'> = NonNullable<
  paths[P]['post']['requestBody']
>['content']['application/json']

export type NewItem = Body<'/api/admin/items'>
export type NewPack = Body<'/api/admin/packs'>

type ChangeOf<P extends '/api/admin/items/{id}' | '/api/admin/packs/{id}'> = NonNullable<
  paths[P]['patch']['requestBody']
>['content']['application/json']

export type ItemChange = ChangeOf<'/api/admin/items/{id}'>
export type PackChange = ChangeOf<'/api/admin/packs/{id}'>

export interface ItemChoice {
  /** Words that names have. */
  search?: string | undefined
  retired?: boolean | undefined
}

/** The catalogue as who runs the house sees it, a page at a time. */
export const adminItemsQuery = ({ search, retired }: ItemChoice) =>
  pagesOf([...keys.adminItems, { search, retired }], (query, options) =>
    api.GET('/api/admin/items', {
      params: { query: { ...query, ...(search && { search }), ...(retired && { retired }) } },
      ...options,
    }),
  )

type PackQuestion = NonNullable<paths['/api/admin/packs/preview']['post']['requestBody']>['content']['application/json']

/** What making or editing a pack would do; without a question nothing is asked. */
export const previewQuery = (asked: PackQuestion | undefined) =>
  queryOptions({
    queryKey: [...keys.adminPacks, 'preview', asked],
    queryFn: ({ signal }) => read(api.POST('/api/admin/packs/preview', { body: asked ?? {}, signal })),
    enabled: asked !== undefined,
    placeholderData: keepPreviousData,
  })

export function useEditItem(handlers: Handlers<AdminItem>) {
  return useAct(
    'editItem',
    ({ id, ...body }: ItemChange & { id: string }, { params: { header }, headers }) =>
      read(api.PATCH('/api/admin/items/{id}', { body, params: { path: { id }, header }, headers })),
    handlers,
  )
}

export function useEditPack(handlers: Handlers<MadePack>) {
  return useAct(
    'editPack',
    ({ id, ...body }: PackChange & { id: string }, { params: { header }, headers }) =>
      read(api.PATCH('/api/admin/packs/{id}', { body, params: { path: { id }, header }, headers })),
    handlers,
  )
}

export function useCreateItem(handlers: Handlers<unknown>) {
  return useAct(
    'createItem',
    (body: NewItem, keyed) => read(api.POST('/api/admin/items', { body, ...keyed })),
    handlers,
  )
}

export function useCreatePack(handlers: Handlers<MadePack>) {
  return useAct(
    'createPack',
    (body: NewPack, keyed) => read(api.POST('/api/admin/packs', { body, ...keyed })),
    handlers,
  )
}

/** Everybody's deposits in a state, newest first, a page at a time. */
export const adminDepositsQuery = (state: AdminDeposit['state']) =>
  pagesOf([...keys.adminDeposits, state], (query, options) =>
    api.GET('/api/admin/deposits', { params: { query: { ...query, state } }, ...options }),
  )

/** Where everybody's deposits in a state are had as a CSV file. */
export const depositsFile = (state: AdminDeposit['state']) => `/api/admin/deposits?state=${state}&format=csv`

/** Payments that no deposit has got, newest first, a page at a time. */
export const orphansQuery = pagesOf(keys.orphans, (query, options) =>
  api.GET('/api/admin/orphans', { params: { query }, ...options }),
)

interface Resolved {
  id: string
  action: 'credit' | 'refund' | 'reject'
  reason: string
}

export function useResolve(handlers: Handlers<AdminDeposit>) {
  return useAct(
    'resolve',
    ({ id, ...body }: Resolved, { params: { header }, headers }) =>
      read(api.POST('/api/admin/deposits/{id}/resolve', { body, params: { path: { id }, header }, headers })),
    handlers,
  )
}

export interface UserFilter {
  /** The beginning of an address, or a part of a name. */
  search?: string | undefined
  role?: AdminUser['role'] | undefined
}

/** Everybody that a filter lets through, newest first, a page at a time. */
export const usersQuery = ({ search, role }: UserFilter) =>
  pagesOf([...keys.users, { search, role }], (query, options) =>
    api.GET('/api/admin/users', {
      params: { query: { ...query, ...(search && { search }), ...(role && { role }) } },
      ...options,
    }),
  )

/** Where all of them are had as a CSV file. */
export function usersFile({ search, role }: UserFilter): string {
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

export function useCredit(handlers: Handlers<Given>) {
  return useAct('credit', (body: Credited, keyed) => give(body, keyed), handlers)
}
