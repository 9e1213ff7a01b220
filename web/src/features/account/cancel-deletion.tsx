import { useCancelDeletion } from '@/api/account'
import { useT } from '@/i18n'
import { errorText } from '@/i18n/error-text'
import { useSession } from '@/lib/session'
import { toast } from '@/lib/toast'
import { Button } from '@/components/ui/button'
import { accountTexts } from './texts'

/** Keeps the account after all. */
export function CancelDeletion() {
  const texts = useT()
  const t = accountTexts.useT().deletion
  const { walletMismatch } = useSession()
  const canceling = useCancelDeletion({
    onSuccess: () => toast({ title: t.canceled }),
    onError: (error) => toast({ title: t.cancelFailed, description: errorText(error, texts), variant: 'destructive' }),
  })
  return (
    <Button size="sm" disabled={walletMismatch || canceling.isPending} onClick={() => canceling.mutate()}>
      {canceling.isPending ? t.canceling : t.cancel}
    </Button>
  )
}
