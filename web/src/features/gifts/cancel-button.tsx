import { useCancelGift } from '@/api/gifts'
import type { Gift } from '@/contract/types'
import { forgetGivenSecret } from '@/lib/gift-secret'
import { useSession } from '@/lib/session'
import { toast } from '@/lib/toast'
import { Button } from '@/components/ui/button'
import { Spinner } from '@/components/ui/spinner'
import { useGiftErrorText } from './gift-errors'
import { giftsTexts } from './texts'

/** Cancels a waiting gift. */
export function CancelButton({ gift: { id, items } }: { gift: Gift }) {
  const t = giftsTexts.useT().gifts
  const giftErrorText = useGiftErrorText('respond')
  const { walletMismatch } = useSession()
  const canceling = useCancelGift({
    onDone: () => {
      forgetGivenSecret(id)
      toast({ title: t.canceled, description: t.canceledText(items.length) })
    },
    onFailed: (error) => toast({ title: t.cancelFailed, description: giftErrorText(error), variant: 'destructive' }),
  })
  return (
    <Button
      variant="secondary"
      disabled={walletMismatch}
      aria-disabled={canceling.isPending}
      onClick={() => !canceling.isPending && canceling.mutate({ id })}
    >
      {canceling.isPending && <Spinner />}
      <span>{canceling.isPending ? t.canceling : t.cancel}</span>
    </Button>
  )
}
