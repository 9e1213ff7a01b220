import { useEffect, useEffectEvent, useId } from 'react'
import { useDepositStatus } from '@/api/deposits'
import { Points } from '@/components/points'
import { DepositState, useDepositMeaning } from '@/components/deposit/deposit-state'
import type { Deposit } from '@/contract/types'
import { cn } from '@/lib/cn'
import { points } from '@/lib/format'
import { Button } from '@/components/ui/button'
import { walletTexts } from './texts'
import { TimeToPay } from './time-to-pay'
import { useTimeToPay } from './use-time-to-pay'

interface OpenDepositsProps {
  deposits: readonly Deposit[]
  onContinue: (deposit: Deposit) => void
  /** Called when a deposit's state changes. */
  onChange: (deposit: Deposit) => void
}

export function OpenDeposits({ deposits, ...handlers }: OpenDepositsProps) {
  const t = walletTexts.useT().topup
  const id = useId()
  if (deposits.length === 0) return null
  return (
    <section aria-labelledby={id} className="panel rounded-2xl p-6">
      <h2 id={id} className="font-semibold">
        {t.inProgress}
      </h2>
      <ul className="mt-2 divide-y divide-line">
        {deposits.map((deposit) => (
          <li key={deposit.depositId} className="py-4 last:pb-0">
            <OpenDeposit deposit={deposit} {...handlers} />
          </li>
        ))}
      </ul>
    </section>
  )
}

function OpenDeposit({
  deposit: initial,
  onContinue,
  onChange,
}: Omit<OpenDepositsProps, 'deposits'> & { deposit: Deposit }) {
  const t = walletTexts.useT().topup
  const { data } = useDepositStatus(initial.depositId)
  const deposit = data ?? initial
  const { state, amountCents } = deposit
  const left = useTimeToPay(data)
  const meaning = useDepositMeaning(deposit)
  // The user may have left the checkout before the chain had the payment.
  const payable = left !== 0 && (state === 'quoted' || (state === 'pending' && !deposit.confirming))
  const onState = useEffectEvent((current: Deposit['state']) => {
    if (current !== initial.state) onChange(deposit)
  })
  useEffect(() => onState(state), [state])
  return (
    <div className="grid grid-cols-[minmax(0,1fr)_auto] items-center gap-x-4 gap-y-2.5">
      <Points cents={amountCents} className="text-lg" />
      <DepositState of={deposit} />
      {state === 'quoted' ? (
        <TimeToPay left={left} />
      ) : (
        <p role="status" className={cn('text-sm text-pretty text-muted-foreground', !payable && 'col-span-full')}>
          {meaning}
        </p>
      )}
      {payable && (
        <Button
          size="sm"
          variant="secondary"
          aria-label={t.continueOf(points(amountCents))}
          onClick={() => onContinue(deposit)}
          className="justify-self-end"
        >
          {t.continue}
        </Button>
      )}
    </div>
  )
}
