import { lazy, startTransition, useState } from 'react'
import type { Gift } from '@/contract/types'
import { useSession } from '@/lib/session'
import { Button } from '@/components/ui/button'
import { DialogSlot } from '@/components/ui/dialog-slot'
import { giftsTexts } from './texts'

const RefuseDialog = lazy(() => import('./refuse-dialog'))

/** Opens the dialog that refuses a gift. */
export function RefuseButton({ gift }: { gift: Gift }) {
  const t = giftsTexts.useT().gifts
  const { walletMismatch } = useSession()
  const [open, setOpen] = useState(false)
  return (
    <>
      <Button variant="secondary" disabled={walletMismatch} onClick={() => startTransition(() => setOpen(true))}>
        {t.refuse}
      </Button>
      <DialogSlot open={open} onClose={() => setOpen(false)}>
        {open && <RefuseDialog gift={gift} onClose={() => setOpen(false)} />}
      </DialogSlot>
    </>
  )
}
