import { useMutation } from '@tanstack/react-query'
import { demoPull } from '@/api/demo'
import type { Pack } from '@/contract/types'

/** Draws a card of the pack by the demo's odds. Nothing is charged or kept. */
export function useDemoPull() {
  return useMutation({ mutationFn: ({ id }: Pick<Pack, 'id'>) => demoPull(id) })
}
