import { useEffect, useEffectEvent, useId } from 'react'
import { useDepositStatus } from '@/api/deposits'
import { Points } from '@/components/points'
import { DepositState, useMeaning } from '@/components/deposit/deposit-state'
import type { Deposit } from '@/contract/types'
import { cn } from '@/lib/cn'
import { points } from '@/lib/format'
import { Button } from '@/components/ui/button'
import { walletTexts } from './texts'
import { TimeToPay } from './time-to-pay'
import { useTimeToPay } from './use-time-to-pay'

interface UnderWayProps {
  deposits: readonly Deposit[]
  onContinue: (deposit: Deposit) => void
  /** Called when one has come to another state. */
  onChange: (deposit: Deposit) => void
}

/** Deposits that have no end yet, wherever they were begun. */
export function UnderWay({ deposits, ...on }: UnderWayProps) {
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
            <Followed deposit={deposit} {...on} />
          </li>
        ))}
      </ul>
    </section>
  )
}

function Followed({ deposit: given, onContinue, onChange }: Omit<UnderWayProps, 'deposits'> & { deposit: Deposit }) {
  const t = walletTexts.useT().topup
  const { data } = useDepositStatus(given.depositId)
  const deposit = data ?? given
  const { state, amountCents } = deposit
  const left = useTimeToPay(data)
  const meaning = useMeaning(deposit)
  // A payment that the chain does not have yet may have been left: the checkout knows.
  const payable = left !== 0 && (state === 'quoted' || (state === 'pending' && !deposit.confirming))
  const reach = useEffectEvent((now: Deposit['state']) => {
    if (now !== given.state) onChange(deposit)
  })
  useEffect(() => reach(state), [state])
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
