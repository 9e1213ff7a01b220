import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type Send, useAct } from '@/lib/act'
import { api, read } from '@/lib/api/client'
import type { paths } from '@/lib/api/schema'
import { queryKeys } from '@/lib/query'

type Body<P extends '/api/admin/items' | '/api/admin/packs'> = NonNullable<
  paths[P]['post']['requestBody']
>['content']['application/json']

export type NewItem = Body<'/api/admin/items'>
export type NewPack = Body<'/api/admin/packs'>

export type MadePack = paths['/api/admin/packs']['post']['responses']['200']['content']['application/json']

interface Handlers<Answer> {
  onDone: (answer: Answer) => void
  onFailed: (error: Error) => void
}

function useCreate<Made extends object, Answer>(
  send: Send<Made, Answer>,
  affected: readonly (readonly string[])[],
  { onDone, onFailed }: Handlers<Answer>,
) {
  const queryClient = useQueryClient()
  const act = useAct()
  return useMutation({
    mutationFn: (made: Made) => act(made, send),
    onSuccess: onDone,
    onError: onFailed,
    onSettled: () => Promise.all(affected.map((queryKey) => queryClient.invalidateQueries({ queryKey }))),
  })
}

export function useCreateItem(handlers: Handlers<unknown>) {
  return useCreate(
    (body: NewItem, params) => read(api.POST('/api/admin/items', { body, params })),
    [queryKeys.items],
    handlers,
  )
}

export function useCreatePack(handlers: Handlers<MadePack>) {
  return useCreate(
    (body: NewPack, params) => read(api.POST('/api/admin/packs', { body, params })),
    [queryKeys.packs, queryKeys.adminPacks],
    handlers,
  )
}
