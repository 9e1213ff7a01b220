import { Link } from '@tanstack/react-router'
import { useEffect, useEffectEvent, useState } from 'react'
import { useDepositStatus } from '@/api/deposits'
import { useMeaning } from '@/components/deposit/deposit-state'
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
import { Alert, Owed, Ways } from './parts'
import { PaymentFrame } from './payment-frame'
import { VerifyStep } from './verify-step'

const ends = ['expired', 'review', 'rejected', 'refunded'] as const
type End = (typeof ends)[number]

interface PaymentProps {
  deposit: Deposit
  /** Begins a new payment of the same amount. */
  onAgain: () => void
  /** Called when it has come to another state; it is said here, unless it is credited. */
  onChange: (deposit: Deposit) => void
  onClose: () => void
}

/** One deposit on its way to the points. */
export function Payment({ deposit: given, onAgain, onChange, onClose }: PaymentProps) {
  const t = walletTexts.useT().payment
  const [said, setSaid] = useState<FrameEvent>()
  const [verified, setVerified] = useState(false)
  // Who is to press the button finds it there, however quick the server is.
  const verifying = said?.type === 'success' && !verified
  const { data } = useDepositStatus(given.depositId, !verifying)
  const deposit = data ?? given
  const left = useTimeToPay(data)
  const reach = useEffectEvent((state: Deposit['state']) => {
    if (state !== given.state) onChange(deposit)
  })
  const reached = verifying ? given.state : deposit.state
  useEffect(() => reach(reached), [reached])

  function hear(event: FrameEvent) {
    if (event.type === 'cancel') {
      onClose()
      return
    }
    setSaid(event)
    if (event.type === 'error') onChange({ ...deposit, state: 'rejected' })
  }

  if (verifying) {
    return (
      <VerifyStep
        deposit={deposit}
        transaction={said.transaction}
        onAnswer={(answer) => (answer.success ? onChange({ ...deposit, state: answer.state }) : setVerified(true))}
        onClose={onClose}
      />
    )
  }
  const ways = { onAgain, onClose }
  const { state } = deposit
  const end = oneOfOrUndefined(ends, state)
  if (end) return <Ended deposit={deposit} state={end} {...ways} />
  if (said?.type === 'error') {
    return <Stopped deposit={deposit} title={t.failed} text={t.failedText} {...ways} />
  }
  if (verified || state === 'verified' || (state === 'pending' && left === 0)) {
    return <OnItsWay deposit={deposit} onClose={onClose} />
  }
  if (left === 0) return <Stopped deposit={deposit} title={t.timeOver} text={t.timeOverText} {...ways} />
  return (
    <Pay
      deposit={deposit}
      left={left}
      said={said}
      onEvent={hear}
      onRetry={deposit.chargeToken ? () => setSaid(undefined) : onAgain}
      onClose={onClose}
    />
  )
}

interface PayProps extends Pick<PaymentProps, 'deposit' | 'onClose'> {
  left: number | undefined
  said: FrameEvent | undefined
  onEvent: (event: FrameEvent) => void
  onRetry: () => void
}

/** The provider's checkout. That a payment is pending is only noted: the checkout says how it goes on. */
function Pay({ deposit, left, said, onEvent, onRetry, onClose }: PayProps) {
  const t = walletTexts.useT().payment
  const meaning = useMeaning(deposit)
  const unavailable = said?.type === 'unavailable' || !deposit.chargeToken
  const note = deposit.state === 'pending' ? meaning : said?.type === 'pending' ? t.pending : ''
  return (
    <>
      <DialogHeader title={t.title(points(deposit.amountCents, 0))} text={t.text} />
      <div className="space-y-4">
        <Owed amountCents={deposit.amountCents} deposit={deposit} />
        {deposit.chargeToken && !unavailable ? (
          <PaymentFrame chargeToken={deposit.chargeToken} onEvent={onEvent} />
        ) : (
          <Alert title={t.unavailable}>{t.unavailableText}</Alert>
        )}
        <p role="status" className="text-sm text-pretty text-muted-foreground empty:hidden">
          {note}
        </p>
      </div>
      <Ways>
        <TimeToPay left={left} className="mr-auto" />
        <Button variant="secondary" onClick={onClose}>
          {note ? t.close : t.cancel}
        </Button>
        {unavailable && <Button onClick={onRetry}>{t.tryAgain}</Button>}
      </Ways>
    </>
  )
}

/** Paid, and not final yet: it is followed until it is. */
function OnItsWay({ deposit, onClose }: Pick<PaymentProps, 'deposit' | 'onClose'>) {
  const t = walletTexts.useT().payment
  const meaning = useMeaning(deposit)
  return (
    <>
      <DialogHeader title={t.followTitle} text={t.canClose} />
      <p role="status" className="flex gap-3 rounded-xl border bg-background px-4 py-3.5 text-sm text-pretty">
        <Spinner className="mt-0.5 shrink-0 text-gold-text" />
        <span>{meaning}</span>
      </p>
      <Ways>
        <Button variant="secondary" onClick={onClose}>
          {t.close}
        </Button>
      </Ways>
    </>
  )
}

interface StoppedProps extends Omit<PaymentProps, 'onChange'> {
  title: string
  text: string
}

/** Nothing comes of this one: another may be begun. */
function Stopped({ deposit, title, text, onAgain, onClose }: StoppedProps) {
  const t = walletTexts.useT().payment
  return (
    <>
      <DialogHeader title={t.title(points(deposit.amountCents, 0))} />
      <Alert title={title}>{text}</Alert>
      <Ways>
        <Button variant="secondary" onClick={onClose}>
          {t.cancel}
        </Button>
        <Button onClick={onAgain}>{t.tryAgain}</Button>
      </Ways>
    </>
  )
}

/** It has an end that is not the points, or people look at it. */
function Ended({ deposit, state, ...ways }: Omit<PaymentProps, 'onChange'> & { state: End }) {
  const t = walletTexts.useT().payment
  const meaning = useMeaning(deposit)
  if (state === 'expired' || state === 'rejected') {
    return <Stopped deposit={deposit} title={t.endedTitle[state]} text={meaning} {...ways} />
  }
  return (
    <>
      <DialogHeader title={t.title(points(deposit.amountCents, 0))} />
      <Alert title={t.endedTitle[state]}>{meaning}</Alert>
      <Ways>
        <Button variant="secondary" onClick={ways.onClose}>
          {t.close}
        </Button>
        <Button asChild>
          <Link to="/deposit/$depositId" params={{ depositId: deposit.depositId }}>
            {t.details}
          </Link>
        </Button>
      </Ways>
    </>
  )
}
