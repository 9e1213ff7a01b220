import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api, read } from '@/lib/api/client'
import type { paths } from '@/lib/api/schema'
import { queryKeys } from '@/lib/query'

type Body<P extends '/api/admin/items' | '/api/admin/packs'> = NonNullable<
  paths[P]['post']['requestBody']
>['content']['application/json']

export type NewItem = Body<'/api/admin/items'>
export type NewPack = Body<'/api/admin/packs'>

interface Handlers {
  onDone: () => void
  onFailed: (error: Error) => void
}

function useCreate<Made>(send: (made: Made, key: string) => Promise<unknown>, affected: readonly string[], { onDone, onFailed }: Handlers) {
  const queryClient = useQueryClient()
  const [pending, setPending] = useState({ text: '', key: '' })
  return useMutation({
    mutationFn: (made: Made) => {
      const text = JSON.stringify(made)
      // The same again after no answer is the same act.
      const key = pending.text === text ? pending.key : crypto.randomUUID()
      setPending({ text, key })
      return send(made, key)
    },
    onSuccess: onDone,
    onError: onFailed,
    onSettled: () => queryClient.invalidateQueries({ queryKey: affected }),
  })
}

export function useCreateItem(handlers: Handlers) {
  return useCreate(
    (body: NewItem, key) => read(api.POST('/api/admin/items', { body, params: { header: { 'Idempotency-Key': key } } })),
    queryKeys.items,
    handlers,
  )
}

export function useCreatePack(handlers: Handlers) {
  return useCreate(
    (body: NewPack, key) => read(api.POST('/api/admin/packs', { body, params: { header: { 'Idempotency-Key': key } } })),
    queryKeys.packs,
    handlers,
  )
}
