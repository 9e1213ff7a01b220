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
import { Alert, Owed, Ways } from './parts'
import { Payment } from './payment'

interface PaymentDialogProps {
  amountCents: number
  /** Undefined while it is asked for. */
  deposit: Deposit | undefined
  /** Why there is none. */
  refusal: Error | null
  /** Begins a new payment of the same amount. */
  onAgain: () => void
  /** Called when it has come to another state; it is said here, unless it is credited. */
  onChange: (deposit: Deposit) => void
  onClose: () => void
}

/** From the amount to the points: pay at the provider's, have it looked at, be told. Closing it loses nothing. */
export default function PaymentDialog({ amountCents, deposit, refusal, ...on }: PaymentDialogProps) {
  const [opener] = useState(() => document.activeElement)
  const [place] = useState(() => opener?.closest('[tabindex="-1"]'))
  return (
    <Dialog open onOpenChange={(open) => !open && on.onClose()}>
      <DialogContent
        className="max-w-lg"
        // A press beside it is no decision, not where money is on its way.
        onPointerDownOutside={(event) => event.preventDefault()}
        // The first that could have the focus is the provider's frame, where nobody hears what this is about.
        onOpenAutoFocus={(event) => {
          event.preventDefault()
          if (event.target instanceof HTMLElement) event.target.focus()
        }}
        onCloseAutoFocus={(event) => {
          event.preventDefault()
          // The button that led here goes when its amount is paid: the focus stays with what was about it.
          const next = opener?.isConnected ? opener : place
          if (next instanceof HTMLElement) next.focus({ preventScroll: true })
        }}
      >
        {deposit ? (
          <Payment key={deposit.depositId} deposit={deposit} {...on} />
        ) : (
          <Beginning amountCents={amountCents} refusal={refusal} {...on} />
        )}
      </DialogContent>
    </Dialog>
  )
}

type BeginningProps = Pick<PaymentDialogProps, 'amountCents' | 'refusal' | 'onAgain' | 'onClose'>

function Beginning({ amountCents, refusal, onAgain, onClose }: BeginningProps) {
  const t = walletTexts.useT().payment
  return (
    <>
      <DialogHeader title={t.title(points(amountCents, 0))} text={t.text} />
      {refusal ? (
        <Refused refusal={refusal}>
          <Button variant="secondary" onClick={onClose}>
            {t.cancel}
          </Button>
          <Button onClick={onAgain}>{t.tryAgain}</Button>
        </Refused>
      ) : (
        <>
          <Owed amountCents={amountCents} deposit={undefined} />
          <Skeleton className="mt-4 h-70 rounded-xl" />
          <Ways>
            <Button variant="secondary" onClick={onClose}>
              {t.cancel}
            </Button>
          </Ways>
        </>
      )}
    </>
  )
}

/** Without an answer of the provider's there is no widget; everything else has a reason of its own. */
function Refused({ refusal, children }: { refusal: Error; children: ReactNode }) {
  const texts = useT()
  const t = walletTexts.useT().payment
  const away = refusal instanceof ApiError && refusal.code === 'unavailable'
  return (
    <>
      <Alert title={away ? t.unavailable : t.notCreated}>{away ? t.unavailableText : errorText(refusal, texts)}</Alert>
      <Ways>{children}</Ways>
    </>
  )
}
