import { useState } from 'react'
import { requestAccountChallenge } from '@/api/account'
import { ApiError } from '@/contract/error'
import { useT } from '@/i18n'
import { errorText } from '@/i18n/error-text'
import { type TextSignature, useSession } from '@/lib/session'
import { toast } from '@/lib/toast'
import { accountTexts } from './texts'

/** Has the wallet sign an export or a deletion before it is sent. `showFailure` says why nothing happened. */
export function useSignature(purpose: 'export' | 'deletion', failed: string) {
  const texts = useT()
  const t = accountTexts.useT().signature
  const { sign } = useSession()
  const [signing, setSigning] = useState(false)

  const showFailure = (error: unknown) =>
    toast({
      title: failed,
      description: error instanceof ApiError ? errorText(error, texts) : t.refused,
      variant: 'destructive',
    })

  // Buttons stay enabled meanwhile: a disabled one would lose the focus, which a wallet's dialog returns to it.
  function signAnd(send: (signature: TextSignature) => void) {
    if (signing) return
    setSigning(true)
    requestAccountChallenge(purpose)
      .then(({ message }) => sign(message))
      .then(send)
      .catch(showFailure)
      .finally(() => setSigning(false))
  }

  return { signing, signAnd, showFailure }
}
