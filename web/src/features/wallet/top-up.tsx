import { lazy, type ReactNode, useRef, useState } from 'react'
import { useInvalidate } from '@/api/invalidations'
import { useOpenDeposits } from '@/api/deposits'
import { depositsTexts } from '@/components/deposit/texts'
import type { Deposit } from '@/contract/types'
import { number } from '@/lib/format'
import { toast } from '@/lib/toast'
import { Loaded } from '@/components/ui/loaded'
import { DialogSlot } from '@/components/ui/dialog-slot'
import { TopUpHistory } from './topup-history'
import { walletTexts } from './texts'
import { TopUpForm } from './topup-form'
import { OpenDeposits } from './open-deposits'
import { usePayment } from './use-payment'

const PaymentDialog = lazy(() => import('./payment/payment-dialog'))

interface TopUpProps {
  /** Whole points to fill in at first. */
  amount: number | undefined
  balance: ReactNode
  transactions: ReactNode
}

/** The form, the open deposits (also those started on another device), and the history. */
export default function TopUp({ amount, balance, transactions }: TopUpProps) {
  const t = walletTexts.useT().topup
  const open = useOpenDeposits()
  const payment = usePayment()
  const { target } = payment
  // A new key resets the form after each top-up.
  const [formKey, setFormKey] = useState(0)
  const updates = useDepositUpdates()

  function onChangeInDialog(deposit: Deposit) {
    if (deposit.state !== 'credited') {
      updates.record(deposit)
      return
    }
    updates.announce(deposit)
    payment.close()
    setFormKey((key) => key + 1)
  }

  return (
    <div className="space-y-8">
      <div className="grid items-start gap-6 xl:grid-cols-2 *:min-w-0">
        <div className="grid gap-6">
          {balance}
          <div tabIndex={-1} className="outline-none">
            <TopUpForm key={formKey} amount={formKey === 0 ? amount : undefined} onPay={payment.start} />
          </div>
        </div>
        <div tabIndex={-1} className="grid gap-6 outline-none">
          <Loaded
            query={open}
            failed={t.historyFailed}
            inlineErrorClass="panel rounded-2xl px-5 py-4"
            withCause
            skeleton={null}
          >
            {(all) => (
              <OpenDeposits
                // The dialog follows its own deposit.
                deposits={all.filter(({ depositId }) => depositId !== target?.deposit?.depositId)}
                // Without a token the provider hasn't created the charge: request it again.
                onContinue={(deposit) =>
                  deposit.chargeToken ? payment.resume(deposit) : payment.start(deposit.amountCents)
                }
                onChange={updates.announce}
              />
            )}
          </Loaded>
          {transactions}
        </div>
      </div>
      <TopUpHistory />
      <DialogSlot open={target !== undefined} onClose={payment.close}>
        {target && (
          <PaymentDialog
            {...target}
            deposit={target.deposit}
            error={payment.error}
            onRetry={() => payment.start(target.amountCents)}
            onChange={onChangeInDialog}
            onClose={payment.close}
          />
        )}
      </DialogSlot>
    </div>
  )
}

/** Handles each new state of a deposit once: refetches the data it changes and shows a toast. */
function useDepositUpdates() {
  const t = walletTexts.useT().topup
  const { states, meanings } = depositsTexts.useT()
  const refresh = useInvalidate('settle')
  const known = useRef(new Set<string>())

  /** Returns false if the state is already known. */
  function record({ depositId, state }: Deposit): boolean {
    const key = `${depositId} ${state}`
    if (known.current.has(key)) return false
    known.current.add(key)
    void refresh()
    return true
  }
  function announce(deposit: Deposit) {
    const { state, amountCents, creditedCents = amountCents } = deposit
    if (!record(deposit)) return
    if (state === 'credited') toast({ title: t.success(number(creditedCents / 100, 2)) })
    if (state === 'rejected') toast({ title: states[state], description: meanings[state], variant: 'destructive' })
  }
  return { record, announce }
}
