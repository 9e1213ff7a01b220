import type { paths } from '@/contract/schema'
import type { AdminItem } from '@/contract/types'
import { type Handlers, useAct } from './act'
import { api, read } from './client'
import { keys } from './keys'
import { pagedQuery } from './paged-query'

export interface AdminItemFilter {
  /** Matches words in names. */
  search?: string | undefined
  retired?: boolean | undefined
}

/** All items, including retired ones, in pages. */
export const adminItemsQuery = ({ search, retired }: AdminItemFilter) =>
  pagedQuery([...keys.adminItems, { search, retired }], (query, options) =>
    api.GET('/api/admin/items', {
      params: { query: { ...query, ...(search && { search }), ...(retired && { retired }) } },
      ...options,
    }),
  )

export type NewItem = NonNullable<paths['/api/admin/items']['post']['requestBody']>['content']['application/json']

export type ItemChange = NonNullable<
  paths['/api/admin/items/{id}']['patch']['requestBody']
>['content']['application/json']

export function useCreateItem(handlers: Handlers<unknown>) {
  return useAct(
    'createItem',
    (body: NewItem, keyed) => read(api.POST('/api/admin/items', { body, ...keyed })),
    handlers,
  )
}

export function useEditItem(handlers: Handlers<AdminItem>) {
  return useAct(
    'editItem',
    ({ id, ...body }: ItemChange & { id: string }, { params: { header }, headers }) =>
      read(api.PATCH('/api/admin/items/{id}', { body, params: { path: { id }, header }, headers })),
    handlers,
  )
}
