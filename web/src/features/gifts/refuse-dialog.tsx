import { type FormEvent, useId, useState } from 'react'
import { useRefuseGift } from '@/api/gifts'
import type { Gift } from '@/contract/types'
import { useSession } from '@/lib/session'
import { toast } from '@/lib/toast'
import { Button } from '@/components/ui/button'
import { Dialog, DialogContent, DialogHeader } from '@/components/ui/dialog'
import { Spinner } from '@/components/ui/spinner'
import { useGiftErrorText } from './gift-errors'
import { usePersonName } from './person'
import { giftsTexts } from './texts'

interface RefuseDialogProps {
  gift: Gift
  onClose: () => void
}

/** Refuses a gift and, if the user chooses so, blocks its giver. */
export default function RefuseDialog({ gift: { id, from, items }, onClose }: RefuseDialogProps) {
  const t = giftsTexts.useT().refuse
  const giftErrorText = useGiftErrorText('respond')
  const { walletMismatch } = useSession()
  const name = usePersonName()(from)
  const note = useId()
  const [blockGiver, setBlockGiver] = useState(false)
  const refusing = useRefuseGift({
    onDone: () => {
      toast({ title: blockGiver ? t.doneBlocked : t.done })
      onClose()
    },
    onFailed: (error) => toast({ title: t.failed, description: giftErrorText(error), variant: 'destructive' }),
  })
  function submit(event: FormEvent) {
    event.preventDefault()
    if (!refusing.isPending) refusing.mutate({ id, blockGiver })
  }
  return (
    <Dialog open onOpenChange={(open) => !open && onClose()}>
      <DialogContent>
        <DialogHeader title={t.title} text={t.text(name, items.length)} />
        <form onSubmit={submit}>
          <label className="flex cursor-pointer items-start gap-3">
            <input
              type="checkbox"
              checked={blockGiver}
              onChange={({ currentTarget }) => setBlockGiver(currentTarget.checked)}
              aria-describedby={note}
              className="mt-0.5 size-4 shrink-0 accent-gold"
            />
            <span className="min-w-0 text-sm leading-5 font-medium break-words">{t.block(name)}</span>
          </label>
          <p id={note} className="mt-0.5 pl-7 text-[0.8125rem] text-pretty text-muted-foreground">
            {t.blockText}
          </p>
          <div className="mt-6 flex flex-wrap justify-end gap-3">
            <Button variant="secondary" onClick={onClose}>
              {t.keep}
            </Button>
            <Button type="submit" variant="destructive" disabled={walletMismatch} aria-disabled={refusing.isPending}>
              {refusing.isPending && <Spinner />}
              <span>{refusing.isPending ? t.refusing : t.confirm}</span>
            </Button>
          </div>
        </form>
      </DialogContent>
    </Dialog>
  )
}
