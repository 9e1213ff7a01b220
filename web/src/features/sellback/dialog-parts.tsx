import { CircleAlert } from 'lucide-react'
import type { ReactNode } from 'react'
import { useSession } from '@/lib/session'
import { Button } from '@/ui/button'
import { Spinner } from '@/ui/spinner'
import { sellBackTexts } from './texts'

/** What changed while somebody looked, said at once. */
export function Notice({ children }: { children: ReactNode }) {
  return (
    <p role="alert" className="mb-4 flex gap-2.5 rounded-xl bg-warning px-3.5 py-3 text-sm text-warning-foreground">
      <CircleAlert aria-hidden className="mt-0.5 size-4 shrink-0" />
      <span>{children}</span>
    </p>
  )
}

interface ConfirmButtonsProps {
  confirm: string
  pending: boolean
  onConfirm: () => void
  onCancel: () => void
}

export function ConfirmButtons({ confirm, pending, onConfirm, onCancel }: ConfirmButtonsProps) {
  const t = sellBackTexts.useT()
  const { frozen } = useSession()
  return (
    <div className="mt-5 flex justify-end gap-3">
      <Button variant="secondary" onClick={onCancel}>
        {t.cancel}
      </Button>
      <Button disabled={frozen || pending} onClick={onConfirm}>
        {pending && <Spinner />}
        {pending ? t.confirming : confirm}
      </Button>
    </div>
  )
}
