import { useState } from 'react'
import { useCreateDeposit } from '@/api/deposits'
import type { Deposit } from '@/contract/types'

/** What the payment dialog is about; its deposit is undefined while it is asked for. */
interface Paying {
  amountCents: number
  deposit?: Deposit
}

/** Which payment is made now. Asked for by a press, so that no second one is asked for by anything else. */
export function usePaying() {
  const [paying, setPaying] = useState<Paying>()
  const quote = useCreateDeposit({
    // Who has closed the dialog meanwhile finds the deposit under way.
    onDone: (deposit, asked) => setPaying((now) => (now === asked ? { ...asked, deposit } : now)),
    onFailed: () => {},
  })
  return {
    paying,
    refusal: quote.error,
    begin: (amountCents: number) => {
      const asked = { amountCents }
      setPaying(asked)
      quote.mutate(asked)
    },
    goOn: (deposit: Deposit) => setPaying({ amountCents: deposit.amountCents, deposit }),
    end: () => setPaying(undefined),
  }
}
