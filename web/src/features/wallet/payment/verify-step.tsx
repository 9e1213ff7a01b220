import { useEffect, useRef } from 'react'
import { useVerifyPayment } from '@/api/deposits'
import { Signature } from '@/components/deposit/signature'
import { depositsTexts } from '@/components/deposit/texts'
import { useT } from '@/i18n'
import { errorText } from '@/i18n/error-text'
import { ApiError } from '@/contract/error'
import type { Deposit, Settled } from '@/contract/types'
import { dollars } from '@/lib/format'
import { useSession } from '@/lib/session'
import { Button } from '@/components/ui/button'
import { DialogHeader } from '@/components/ui/dialog'
import { Facts } from '@/components/ui/facts'
import { Spinner } from '@/components/ui/spinner'
import { walletTexts } from '../texts'
import { Alert, DialogActions } from './parts'

interface VerifyStepProps {
  deposit: Deposit
  /** Signature reported by the widget. The server treats it as a hint only. */
  transaction: string
  onSettled: (result: Settled) => void
  onClose: () => void
}

/** Asks the server to verify a payment that the widget reported. */
export function VerifyStep({ deposit, transaction, onSettled, onClose }: VerifyStepProps) {
  const texts = useT()
  const t = walletTexts.useT().payment
  const { transaction: transactionLabel } = depositsTexts.useT()
  const { walletMismatch } = useSession()
  const settle = useVerifyPayment({ onDone: onSettled, onFailed: () => {} })
  const button = useRef<HTMLButtonElement>(null)
  // The frame that had the focus is unmounted.
  useEffect(() => button.current?.focus(), [])
  const { depositId, amountCents } = deposit
  const { error, isPending } = settle
  const refused = error instanceof ApiError && error.status >= 400 && error.status < 500
  return (
    <>
      <DialogHeader title={t.verifyTitle} text={t.verifyText} />
      <Facts
        className="space-y-2 rounded-xl border bg-background px-4 py-3.5"
        facts={[
          { label: t.amount, value: dollars(amountCents), className: 'text-xl' },
          { label: transactionLabel, value: <Signature of={transaction} /> },
        ]}
      />
      {error && (
        <div className="mt-4">
          <Alert title={t.verificationFailed}>
            <p>{t.notAdded(t.because(errorText(error, texts)))}</p>
            {!refused && <p className="mt-1">{t.notLost}</p>}
          </Alert>
        </div>
      )}
      <DialogActions>
        <Button variant="secondary" onClick={onClose}>
          {t.cancel}
        </Button>
        <Button
          ref={button}
          disabled={walletMismatch || isPending}
          onClick={() => settle.mutate({ amount: amountCents / 100, paymentId: depositId, transactionId: transaction })}
        >
          {isPending && <Spinner />}
          <span>{isPending ? t.verifying : error ? t.tryAgain : t.verify}</span>
        </Button>
      </DialogActions>
    </>
  )
}
