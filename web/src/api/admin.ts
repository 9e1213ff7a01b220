import { queryOptions } from '@tanstack/react-query'
import type { paths } from '@/lib/contract/schema'
import type { MadePack } from '@/lib/contract/types'
import { type Handlers, useAct } from './act'
import { api, read } from './client'
import { keys } from './keys'

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
