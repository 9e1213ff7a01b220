import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import type { paths } from '@/contract/schema'
import type { MadePack } from '@/contract/types'
import { type Handlers, useAct } from './act'
import { api, read } from './client'
import { keys } from './keys'

/** Every pack, on sale or not. */
export const adminPacksQuery = queryOptions({
  queryKey: keys.adminPacks,
  queryFn: ({ signal }) => read(api.GET('/api/admin/packs', { signal })),
})

export type NewPack = NonNullable<paths['/api/admin/packs']['post']['requestBody']>['content']['application/json']

export type PackChange = NonNullable<
  paths['/api/admin/packs/{id}']['patch']['requestBody']
>['content']['application/json']

type PackPreviewRequest = NonNullable<
  paths['/api/admin/packs/preview']['post']['requestBody']
>['content']['application/json']

/** Previews creating or editing a pack; disabled without a request. */
export const packPreviewQuery = (request: PackPreviewRequest | undefined) =>
  queryOptions({
    queryKey: [...keys.adminPacks, 'preview', request],
    queryFn: ({ signal }) => read(api.POST('/api/admin/packs/preview', { body: request ?? {}, signal })),
    enabled: request !== undefined,
    placeholderData: keepPreviousData,
  })

export function useCreatePack(handlers: Handlers<MadePack>) {
  return useAct(
    'createPack',
    (body: NewPack, keyed) => read(api.POST('/api/admin/packs', { body, ...keyed })),
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
