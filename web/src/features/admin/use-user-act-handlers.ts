import { toast } from '@/lib/toast'
import { useRefusalText } from './use-refusal-text'
import { adminTexts } from './texts'

/** Handlers for acts on a user: field errors go to the form, everything else to a toast. */
export function useUserActHandlers(showServerErrors: (error: Error) => boolean, onClose: () => void) {
  const refusalText = useRefusalText()
  const t = adminTexts.useT().users
  return {
    /** `pending` replaces "Done" if a second admin has to approve. */
    onDone: (pending?: unknown) => {
      toast({ title: typeof pending === 'string' ? pending : t.done })
      onClose()
    },
    onFailed: (error: Error) => {
      if (!showServerErrors(error)) toast({ title: t.error, description: refusalText(error), variant: 'destructive' })
    },
  }
}
