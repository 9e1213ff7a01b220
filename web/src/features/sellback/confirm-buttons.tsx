import { useSession } from '@/lib/session'
import { Button } from '@/components/ui/button'
import { Spinner } from '@/components/ui/spinner'
import { sellbackTexts } from './texts'

interface ConfirmButtonsProps {
  confirm: string
  pending: boolean
  onConfirm: () => void
  onCancel: () => void
}

export function ConfirmButtons({ confirm, pending, onConfirm, onCancel }: ConfirmButtonsProps) {
  const t = sellbackTexts.useT()
  const { walletMismatch } = useSession()
  return (
    <div className="mt-5 flex justify-end gap-3">
      <Button variant="secondary" onClick={onCancel}>
        {t.cancel}
      </Button>
      <Button disabled={walletMismatch || pending} onClick={onConfirm}>
        {pending && <Spinner />}
        <span>{pending ? t.confirming : confirm}</span>
      </Button>
    </div>
  )
}
