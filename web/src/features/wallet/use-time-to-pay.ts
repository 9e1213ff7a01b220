import type { DepositStatus } from '@/api/deposits'
import { useTimeLeft } from '@/lib/use-time-left'

/** How many milliseconds a deposit can still be paid, by the server's clock; undefined until it is read. */
export function useTimeToPay(deposit: DepositStatus | undefined): number | undefined {
  const left = useTimeLeft(deposit && Date.parse(deposit.expiresAt), deposit?.aheadMs ?? 0)
  return deposit && left
}
