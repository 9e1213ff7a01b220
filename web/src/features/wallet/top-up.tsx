import { lazy, type ReactNode, useRef, useState } from 'react'
import { useInvalidate } from '@/api/invalidations'
import { useOpenDeposits } from '@/api/deposits'
import { depositsTexts } from '@/components/deposit/texts'
import type { Deposit } from '@/contract/types'
import { number } from '@/lib/format'
import { toast } from '@/lib/toast'
import { Loaded } from '@/components/ui/loaded'
import { DialogSlot } from '@/components/ui/dialog-slot'
import { History } from './history'
import { walletTexts } from './texts'
import { TopUpForm } from './topup-form'
import { UnderWay } from './under-way'
import { usePaying } from './use-paying'

const PaymentDialog = lazy(() => import('./payment/payment-dialog'))

interface TopUpProps {
  /** Above the amounts. */
  balance: ReactNode
  /** Beside all of it. */
  movements: ReactNode
}

/** Adds Play Points, shows what is under way wherever it was begun, and what became of all before. */
export default function TopUp({ balance, movements }: TopUpProps) {
  const t = walletTexts.useT().topup
  const open = useOpenDeposits()
  const { paying, refusal, begin, goOn, end } = usePaying()
  const [topUps, setTopUps] = useState(0)
  const changes = useChanges()

  function changedInDialog(deposit: Deposit) {
    if (deposit.state !== 'credited') {
      changes.take(deposit)
      return
    }
    changes.tell(deposit)
    end()
    setTopUps((before) => before + 1)
  }

  return (
    <div className="space-y-8">
      <div className="grid items-start gap-6 xl:grid-cols-2 *:min-w-0">
        <div className="grid gap-6">
          {balance}
          <div tabIndex={-1} className="outline-none">
            <TopUpForm key={topUps} onPay={begin} />
          </div>
        </div>
        <div tabIndex={-1} className="grid gap-6 outline-none">
          <Loaded query={open} failed={t.historyFailed} line="panel rounded-2xl px-5 py-4" skeleton={null}>
            {(all) => (
              <UnderWay
                // The dialog follows its own.
                deposits={all.filter(({ depositId }) => depositId !== paying?.deposit?.depositId)}
                // One that the provider has not made yet is asked for again.
                onContinue={(deposit) => (deposit.chargeToken ? goOn(deposit) : begin(deposit.amountCents))}
                onChange={changes.tell}
              />
            )}
          </Loaded>
          {movements}
        </div>
      </div>
      <History />
      <DialogSlot open={paying !== undefined} onClose={end}>
        {paying && (
          <PaymentDialog
            {...paying}
            deposit={paying.deposit}
            refusal={refusal}
            onAgain={() => begin(paying.amountCents)}
            onChange={changedInDialog}
            onClose={end}
          />
        )}
      </DialogSlot>
    </div>
  )
}

/** What becomes of deposits: each state is news once, and what it changes is read afresh. */
function useChanges() {
  const t = walletTexts.useT().topup
  const { states, meanings } = depositsTexts.useT()
  const refresh = useInvalidate('settle')
  const known = useRef(new Set<string>())

  /** Whether it is news. */
  function take({ depositId, state }: Deposit): boolean {
    const news = !known.current.has(`${depositId} ${state}`)
    known.current.add(`${depositId} ${state}`)
    if (news) void refresh()
    return news
  }
  function tell(deposit: Deposit) {
    const { state, amountCents, creditedCents = amountCents } = deposit
    if (!take(deposit)) return
    if (state === 'credited') toast({ title: t.success(number(creditedCents / 100, 2)) })
    if (state === 'rejected') toast({ title: states[state], description: meanings[state], variant: 'destructive' })
  }
  return { take, tell }
}
