import { skipToken, useQuery } from '@tanstack/react-query'
import type { components } from '@/contract/schema'
import { serverNow } from '@/lib/server-clock'
import { keys } from './keys'

type Limits = components['schemas']['LimitsView']

/** Whether the visitor has stopped for a while, as far as is known: what tells them how long they have been here asks. */
export function useStopped(): boolean {
  return useQuery({ queryKey: keys.limits, queryFn: skipToken, select: isStopped }).data ?? false
}

function isStopped({ excluded, timedOut }: Limits): boolean {
  const stop = excluded ?? timedOut
  return stop !== undefined && (stop.until === null || Date.parse(stop.until) > serverNow())
}
