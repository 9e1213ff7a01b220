import { HandCoins } from 'lucide-react'
import { type ComponentProps, lazy, startTransition, useState } from 'react'
import { useSession } from '@/lib/session'
import { Button } from '@/components/ui/button'
import { DialogSlot } from '@/components/ui/dialog-slot'
import type { Subject } from './subject'

const BidDialog = lazy(() => import('./bid-dialog'))

interface BidButtonProps extends Omit<ComponentProps<typeof Button>, 'onClick' | 'disabled'> {
  subject: Subject
}

/** Asks what the visitor would pay; who is signed out connects first. */
export function BidButton({ subject, children, ...rest }: BidButtonProps) {
  const { status, frozen, connect } = useSession()
  const [open, setOpen] = useState(false)
  return (
    <>
      <Button
        disabled={frozen || status === 'loading'}
        onClick={status === 'signed-in' ? () => startTransition(() => setOpen(true)) : connect}
        {...rest}
      >
        <HandCoins aria-hidden />
        <span>{children}</span>
      </Button>
      <DialogSlot open={open} onClose={() => setOpen(false)}>
        {open && <BidDialog subject={subject} onClose={() => setOpen(false)} />}
      </DialogSlot>
    </>
  )
}
