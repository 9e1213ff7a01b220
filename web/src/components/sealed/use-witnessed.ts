import { useQuery } from '@tanstack/react-query'
import { logWitnessesQuery } from '@/api/log'
import { config } from '@/lib/config'

/** Whether the log has witnesses; undefined if unknown, or in a sandbox, whose draws prove nothing about insiders. */
export function useWitnessed(): boolean | undefined {
  const { data } = useQuery({ ...logWitnessesQuery, enabled: !config.sandbox })
  return data === undefined ? undefined : data !== ''
}
