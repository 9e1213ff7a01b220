import type { DepositStatus } from '@/api/deposits'
import { useTimeLeft } from '@/lib/use-time-left'

/** Milliseconds left to pay a deposit by the server's clock; undefined until it is loaded. */
export function useTimeToPay(deposit: DepositStatus | undefined): number | undefined {
  const left = useTimeLeft(deposit && Date.parse(deposit.expiresAt), deposit?.aheadMs ?? 0)
  return deposit && left
}
