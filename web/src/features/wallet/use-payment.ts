import { useState } from 'react'
import { useCreateDeposit } from '@/api/deposits'
import type { Deposit } from '@/contract/types'

interface PaymentTarget {
  amountCents: number
  /** Undefined while it is being created. */
  deposit?: Deposit
}

/** The payment in the dialog. Only the user's click starts one, never a render or retry. */
export function usePayment() {
  const [target, setTarget] = useState<PaymentTarget>()
  const quote = useCreateDeposit({
    // If the dialog was closed meanwhile, the deposit is in the list of open ones.
    onDone: (deposit, requested) =>
      setTarget((current) => (current === requested ? { ...requested, deposit } : current)),
    onFailed: () => {},
  })
  return {
    target,
    error: quote.error,
    start: (amountCents: number) => {
      const requested = { amountCents }
      setTarget(requested)
      quote.mutate(requested)
    },
    resume: (deposit: Deposit) => setTarget({ amountCents: deposit.amountCents, deposit }),
    close: () => setTarget(undefined),
  }
}
