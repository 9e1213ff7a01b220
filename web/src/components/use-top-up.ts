import { useNavigate } from '@tanstack/react-router'
import { useAddSandboxPoints } from '@/api/deposits'
import { useT } from '@/i18n'
import { errorText } from '@/i18n/error-text'
import { config, terms } from '@/lib/config'
import { toast } from '@/lib/toast'

/** Whole points that cover a missing amount. */
export function topUpAmount(missingCents: number): number {
  return Math.max(Math.ceil(missingCents / 100), terms.leastDeposit)
}

/**
 * Adds the points that are missing for a pack: in the sandbox at once, elsewhere on the top-up page, which leads back.
 * While `pending`, mark the button with `aria-disabled`: a disabled one would lose the focus.
 */
export function useTopUp(packId: string): { pending: boolean; topUp: (missingCents: number) => void } {
  const texts = useT()
  const navigate = useNavigate()
  const deposit = useAddSandboxPoints({
    onDone: () => {},
    onFailed: (error) => toast({ title: errorText(error, texts), variant: 'destructive' }),
  })
  function topUp(missingCents: number) {
    if (deposit.isPending) return
    const amount = topUpAmount(missingCents)
    if (config.sandbox) deposit.mutate({ amount })
    else void navigate({ to: '/topup', search: { amount, pack: packId } })
  }
  return { pending: deposit.isPending, topUp }
}
