import { useT } from '@/i18n'
import { errorText } from '@/i18n/error-text'
import type { AdminUser } from '@/contract/types'
import { shortAddress } from '@/lib/format'
import { toast } from '@/lib/toast'
import { adminTexts } from './texts'

/** What a user is called where others are listed beside them. */
export const nameOf = ({ firstName, walletAddress }: AdminUser) => firstName || shortAddress(walletAddress, 6, 4)

/** Tells how an act with a user went: a refusal at the fields that it names, anything else in a toast. */
export function useOutcome(refuse: (error: Error) => boolean, onClose: () => void) {
  const texts = useT()
  const t = adminTexts.useT().users
  return {
    /** waits says what is not done yet. */
    onDone: (waits?: unknown) => {
      toast({ title: typeof waits === 'string' ? waits : t.done })
      onClose()
    },
    onFailed: (error: Error) => {
      if (!refuse(error)) toast({ title: t.error, description: errorText(error, texts), variant: 'destructive' })
    },
  }
}
