import { useState } from 'react'
import { terms } from '@/lib/config'
import { Dialog, DialogContent, DialogHeader } from '@/components/ui/dialog'
import { ChooseStep, type Receiver } from './choose-step'
import { LinkStep } from './link-step'
import type { GivenEntry, PreparedGift } from './prepared-gift'
import { SignStep } from './sign-step'
import { giftsTexts } from './texts'

interface GiveDialogProps {
  entries: readonly GivenEntry[]
  /** Called with the ids of the entries that were given. */
  onGiven: (ids: readonly string[]) => void
  onClose: () => void
}

/** Gives entries in up to three steps: to whom, the text to sign, and the link if the gift has one. */
export default function GiveDialog({ entries, onGiven, onClose }: GiveDialogProps) {
  const t = giftsTexts.useT().give
  const [receiver, setReceiver] = useState<Receiver>({ byLink: true, address: '' })
  const [prepared, setPrepared] = useState<PreparedGift>()
  const [made, setMade] = useState<{ giftId: string; secret: string }>()
  const [excluded, setExcluded] = useState<readonly string[]>([])
  const included = entries.filter(({ inventoryId }) => !excluded.includes(inventoryId)).slice(0, terms.mostGiftItems)
  return (
    <Dialog open onOpenChange={(open) => !open && onClose()}>
      <DialogContent className="max-w-lg">
        {made ? (
          <>
            <DialogHeader title={t.linkTitle} text={t.linkText} />
            <LinkStep {...made} onClose={onClose} />
          </>
        ) : prepared ? (
          <>
            <DialogHeader title={t.reviewTitle} text={t.reviewText} />
            <SignStep
              gift={prepared}
              onBack={() => setPrepared(undefined)}
              onGiven={(giftId) => {
                onGiven(prepared.request.inventoryIds)
                if (prepared.secret) setMade({ giftId, secret: prepared.secret })
                else onClose()
              }}
            />
          </>
        ) : (
          <>
            <DialogHeader title={t.title(included.length)} text={t.text(terms.giftDays)} />
            <ChooseStep
              entries={included}
              receiver={receiver}
              onReceiver={setReceiver}
              selected={entries.length - excluded.length}
              onLeaveOut={(ids) => setExcluded([...excluded, ...ids])}
              onPrepared={setPrepared}
              onClose={onClose}
            />
          </>
        )}
      </DialogContent>
    </Dialog>
  )
}
