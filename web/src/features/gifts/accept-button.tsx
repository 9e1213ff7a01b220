import { useAcceptGift } from '@/api/gifts'
import { useSession } from '@/lib/session'
import { toast } from '@/lib/toast'
import { Button } from '@/components/ui/button'
import { Spinner } from '@/components/ui/spinner'
import { useGiftErrorText } from './gift-errors'
import { giftsTexts } from './texts'

interface AcceptButtonProps {
  giftId: string
  /** How many items it holds. */
  count: number
  /** Whether it is accepted with its link's secret rather than by the wallet that it is for. */
  byLink?: boolean
  size?: 'md' | 'lg'
  onAccepted?: () => void
}

export function AcceptButton({ giftId, count, byLink = false, size = 'md', onAccepted }: AcceptButtonProps) {
  const t = giftsTexts.useT().gifts
  const giftErrorText = useGiftErrorText('respond')
  const { walletMismatch } = useSession()
  const accepting = useAcceptGift({
    onDone: () => {
      toast({ title: t.accepted, description: t.acceptedText(count) })
      onAccepted?.()
    },
    onFailed: (error) => toast({ title: t.acceptFailed, description: giftErrorText(error), variant: 'destructive' }),
  })
  return (
    <Button
      size={size}
      disabled={walletMismatch}
      aria-disabled={accepting.isPending}
      onClick={() => !accepting.isPending && accepting.mutate({ id: giftId, byLink })}
    >
      {accepting.isPending && <Spinner />}
      <span>{accepting.isPending ? t.accepting : t.accept}</span>
    </Button>
  )
}
