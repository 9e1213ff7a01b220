import { useT } from '@/i18n'
import { errorText } from '@/i18n/error-text'
import type { AdminUser } from '@/contract/types'
import { shortAddress } from '@/lib/format'
import { toast } from '@/lib/toast'
import { adminTexts } from './texts'

export const displayName = ({ firstName, walletAddress }: AdminUser) => firstName || shortAddress(walletAddress, 6, 4)

/** Handlers for acts on a user: field errors go to the form, everything else to a toast. */
export function useUserActHandlers(showServerErrors: (error: Error) => boolean, onClose: () => void) {
  const texts = useT()
  const t = adminTexts.useT().users
  return {
    /** `pending` replaces "Done" if a second admin has to approve. */
    onDone: (pending?: unknown) => {
      toast({ title: typeof pending === 'string' ? pending : t.done })
      onClose()
    },
    onFailed: (error: Error) => {
      if (!showServerErrors(error))
        toast({ title: t.error, description: errorText(error, texts), variant: 'destructive' })
    },
  }
}
