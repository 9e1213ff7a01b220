import { Link } from '@tanstack/react-router'
import { useEffect, useEffectEvent, useState } from 'react'
import { useDepositStatus } from '@/api/deposits'
import { useDepositMeaning } from '@/components/deposit/deposit-state'
import { oneOfOrUndefined } from '@/lib/search-param'
import type { Deposit } from '@/contract/types'
import { points } from '@/lib/format'
import { Button } from '@/components/ui/button'
import { DialogHeader } from '@/components/ui/dialog'
import { Spinner } from '@/components/ui/spinner'
import { walletTexts } from '../texts'
import { TimeToPay } from '../time-to-pay'
import { useTimeToPay } from '../use-time-to-pay'
import type { FrameEvent } from './frame-event'
import { Alert, AmountDue, DialogActions } from './parts'
import { PaymentFrame } from './payment-frame'
import { VerifyStep } from './verify-step'

const endStates = ['expired', 'review', 'rejected', 'refunded'] as const
type EndState = (typeof endStates)[number]

interface PaymentProps {
  deposit: Deposit
  /** Starts a new payment of the same amount. */
  onRetry: () => void
  /** Called when the deposit's state changes. The dialog shows every state but `credited`. */
  onChange: (deposit: Deposit) => void
  onClose: () => void
}

export function Payment({ deposit: initial, onRetry, onChange, onClose }: PaymentProps) {
  const t = walletTexts.useT().payment
  const [frameEvent, setFrameEvent] = useState<FrameEvent>()
  const [verified, setVerified] = useState(false)
  // Show the verify step until its button was pressed, even if the server is faster.
  const verifying = frameEvent?.type === 'success' && !verified
  const { data } = useDepositStatus(initial.depositId, !verifying)
  const deposit = data ?? initial
  const left = useTimeToPay(data)
  const onState = useEffectEvent((state: Deposit['state']) => {
    if (state !== initial.state) onChange(deposit)
  })
  const shownState = verifying ? initial.state : deposit.state
  useEffect(() => onState(shownState), [shownState])

  function onFrameEvent(event: FrameEvent) {
    if (event.type === 'cancel') {
      onClose()
      return
    }
    setFrameEvent(event)
    if (event.type === 'error') onChange({ ...deposit, state: 'rejected' })
  }

  if (verifying) {
    return (
      <VerifyStep
        deposit={deposit}
        transaction={frameEvent.transaction}
        onSettled={(result) => (result.success ? onChange({ ...deposit, state: result.state }) : setVerified(true))}
        onClose={onClose}
      />
    )
  }
  const handlers = { onRetry, onClose }
  const { state } = deposit
  const endState = oneOfOrUndefined(endStates, state)
  if (endState) return <EndedPayment deposit={deposit} state={endState} {...handlers} />
  if (frameEvent?.type === 'error') {
    return <FailedPayment deposit={deposit} title={t.failed} text={t.failedText} {...handlers} />
  }
  if (verified || state === 'verified' || (state === 'pending' && left === 0)) {
    return <Confirming deposit={deposit} onClose={onClose} />
  }
  if (left === 0) return <FailedPayment deposit={deposit} title={t.timeOver} text={t.timeOverText} {...handlers} />
  return (
    <Checkout
      deposit={deposit}
      left={left}
      frameEvent={frameEvent}
      onEvent={onFrameEvent}
      onRetry={deposit.chargeToken ? () => setFrameEvent(undefined) : onRetry}
      onClose={onClose}
    />
  )
}

interface CheckoutProps extends Pick<PaymentProps, 'deposit' | 'onClose'> {
  left: number | undefined
  frameEvent: FrameEvent | undefined
  onEvent: (event: FrameEvent) => void
  onRetry: () => void
}

/** The provider's checkout. A pending payment only adds a note, because the checkout stays usable. */
function Checkout({ deposit, left, frameEvent, onEvent, onRetry, onClose }: CheckoutProps) {
  const t = walletTexts.useT().payment
  const meaning = useDepositMeaning(deposit)
  const unavailable = frameEvent?.type === 'unavailable' || !deposit.chargeToken
  const note = deposit.state === 'pending' ? meaning : frameEvent?.type === 'pending' ? t.pending : ''
  return (
    <>
      <DialogHeader title={t.title(points(deposit.amountCents, 0))} text={t.text} />
      <div className="space-y-4">
        <AmountDue amountCents={deposit.amountCents} deposit={deposit} />
        {deposit.chargeToken && !unavailable ? (
          <PaymentFrame chargeToken={deposit.chargeToken} onEvent={onEvent} />
        ) : (
          <Alert title={t.unavailable}>{t.unavailableText}</Alert>
        )}
        <p role="status" className="text-sm text-pretty text-muted-foreground empty:hidden">
          {note}
        </p>
      </div>
      <DialogActions>
        <TimeToPay left={left} className="mr-auto" />
        <Button variant="secondary" onClick={onClose}>
          {note ? t.close : t.cancel}
        </Button>
        {unavailable && <Button onClick={onRetry}>{t.tryAgain}</Button>}
      </DialogActions>
    </>
  )
}

/** Paid but not final yet. */
function Confirming({ deposit, onClose }: Pick<PaymentProps, 'deposit' | 'onClose'>) {
  const t = walletTexts.useT().payment
  const meaning = useDepositMeaning(deposit)
  return (
    <>
      <DialogHeader title={t.followTitle} text={t.canClose} />
      <p role="status" className="flex gap-3 rounded-xl border bg-background px-4 py-3.5 text-sm text-pretty">
        <Spinner className="mt-0.5 shrink-0 text-gold-text" />
        <span>{meaning}</span>
      </p>
      <DialogActions>
        <Button variant="secondary" onClick={onClose}>
          {t.close}
        </Button>
      </DialogActions>
    </>
  )
}

interface FailedPaymentProps extends Omit<PaymentProps, 'onChange'> {
  title: string
  text: string
}

/** Offers to start another payment. */
function FailedPayment({ deposit, title, text, onRetry, onClose }: FailedPaymentProps) {
  const t = walletTexts.useT().payment
  return (
    <>
      <DialogHeader title={t.title(points(deposit.amountCents, 0))} />
      <Alert title={title}>{text}</Alert>
      <DialogActions>
        <Button variant="secondary" onClick={onClose}>
          {t.cancel}
        </Button>
        <Button onClick={onRetry}>{t.tryAgain}</Button>
      </DialogActions>
    </>
  )
}

/** The deposit ended without points, or is under review. */
function EndedPayment({ deposit, state, ...handlers }: Omit<PaymentProps, 'onChange'> & { state: EndState }) {
  const t = walletTexts.useT().payment
  const meaning = useDepositMeaning(deposit)
  if (state === 'expired' || state === 'rejected') {
    return <FailedPayment deposit={deposit} title={t.endedTitle[state]} text={meaning} {...handlers} />
  }
  return (
    <>
      <DialogHeader title={t.title(points(deposit.amountCents, 0))} />
      <Alert title={t.endedTitle[state]}>{meaning}</Alert>
      <DialogActions>
        <Button variant="secondary" onClick={handlers.onClose}>
          {t.close}
        </Button>
        <Button asChild>
          <Link to="/deposit/$depositId" params={{ depositId: deposit.depositId }}>
            {t.details}
          </Link>
        </Button>
      </DialogActions>
    </>
  )
}
