import { HandCoins } from 'lucide-react'
import { type ComponentProps, lazy, startTransition, useState } from 'react'
import { useSession } from '@/lib/session'
import { Button } from '@/components/ui/button'
import { DialogSlot } from '@/components/ui/dialog-slot'
import type { BidTarget } from './bid-target'

const BidDialog = lazy(() => import('./bid-dialog'))

interface BidButtonProps extends Omit<ComponentProps<typeof Button>, 'onClick' | 'disabled'> {
  target: BidTarget
}

/** Opens the bid dialog. Signed-out users connect their wallet first. */
export function BidButton({ target, children, ...rest }: BidButtonProps) {
  const { status, walletMismatch, connect } = useSession()
  const [open, setOpen] = useState(false)
  return (
    <>
      <Button
        disabled={walletMismatch || status === 'loading'}
        onClick={status === 'signed-in' ? () => startTransition(() => setOpen(true)) : connect}
        {...rest}
      >
        <HandCoins aria-hidden />
        <span>{children}</span>
      </Button>
      <DialogSlot open={open} onClose={() => setOpen(false)}>
        {open && <BidDialog target={target} onClose={() => setOpen(false)} />}
      </DialogSlot>
    </>
  )
}
