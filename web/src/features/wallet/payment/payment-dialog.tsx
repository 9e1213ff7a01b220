import { type ReactNode, useState } from 'react'
import { useT } from '@/i18n'
import { errorText } from '@/i18n/error-text'
import { ApiError } from '@/contract/error'
import type { Deposit } from '@/contract/types'
import { points } from '@/lib/format'
import { Button } from '@/components/ui/button'
import { Dialog, DialogContent, DialogHeader } from '@/components/ui/dialog'
import { Skeleton } from '@/components/ui/skeleton'
import { walletTexts } from '../texts'
import { Alert, AmountDue, DialogActions } from './parts'
import { Payment } from './payment'

interface PaymentDialogProps {
  amountCents: number
  /** Undefined while it is being created. */
  deposit: Deposit | undefined
  /** Why it couldn't be created. */
  error: Error | null
  /** Starts a new payment of the same amount. */
  onRetry: () => void
  /** Called when the deposit's state changes. The dialog shows every state but `credited`. */
  onChange: (deposit: Deposit) => void
  onClose: () => void
}

/** Payment at the provider, verification and result. Closing it is safe: the server follows the payment. */
export default function PaymentDialog({ amountCents, deposit, error, ...handlers }: PaymentDialogProps) {
  const [opener] = useState(() => document.activeElement)
  const [panel] = useState(() => opener?.closest('[tabindex="-1"]'))
  return (
    <Dialog open onOpenChange={(open) => !open && handlers.onClose()}>
      <DialogContent
        className="max-w-lg"
        // A click outside must not cancel a payment by accident.
        onPointerDownOutside={(event) => event.preventDefault()}
        // Focus the dialog itself. The first focusable element is the provider's frame, which doesn't announce the dialog.
        onOpenAutoFocus={(event) => {
          event.preventDefault()
          if (event.target instanceof HTMLElement) event.target.focus()
        }}
        onCloseAutoFocus={(event) => {
          event.preventDefault()
          // The opener may be gone once the deposit is paid: focus its panel instead.
          const target = opener?.isConnected ? opener : panel
          if (target instanceof HTMLElement) target.focus({ preventScroll: true })
        }}
      >
        {deposit ? (
          <Payment key={deposit.depositId} deposit={deposit} {...handlers} />
        ) : (
          <StartingPayment amountCents={amountCents} error={error} {...handlers} />
        )}
      </DialogContent>
    </Dialog>
  )
}

type StartingPaymentProps = Pick<PaymentDialogProps, 'amountCents' | 'error' | 'onRetry' | 'onClose'>

function StartingPayment({ amountCents, error, onRetry, onClose }: StartingPaymentProps) {
  const t = walletTexts.useT().payment
  return (
    <>
      <DialogHeader title={t.title(points(amountCents, 0))} text={t.text} />
      {error ? (
        <StartError error={error}>
          <Button variant="secondary" onClick={onClose}>
            {t.cancel}
          </Button>
          <Button onClick={onRetry}>{t.tryAgain}</Button>
        </StartError>
      ) : (
        <>
          <AmountDue amountCents={amountCents} deposit={undefined} />
          <Skeleton className="mt-4 h-70 rounded-xl" />
          <DialogActions>
            <Button variant="secondary" onClick={onClose}>
              {t.cancel}
            </Button>
          </DialogActions>
        </>
      )}
    </>
  )
}

/** Without a response of the provider there is no widget; other errors have their own text. */
function StartError({ error, children }: { error: Error; children: ReactNode }) {
  const texts = useT()
  const t = walletTexts.useT().payment
  const unavailable = error instanceof ApiError && error.code === 'unavailable'
  return (
    <>
      <Alert title={unavailable ? t.unavailable : t.notCreated}>
        {unavailable ? t.unavailableText : errorText(error, texts)}
      </Alert>
      <DialogActions>{children}</DialogActions>
    </>
  )
}
