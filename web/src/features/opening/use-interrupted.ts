import { useEffect, useMemo } from 'react'
import { useLatestOpens } from '@/api/opens'
import { useSession } from '@/lib/session'
import { toast } from '@/lib/toast'
import { markTold, unansweredAttempts } from './attempt'
import { whenUnheld } from './open-lock'
import { openingTexts } from './texts'
import { forgetUnshown, unshownOpens } from './unshown'

/** Tells the visitor of opens that a reload or a closed tab interrupted, with a link to the result. */
export function useInterrupted(): void {
  const { user, frozen } = useSession()
  const address = (!frozen && user?.walletAddress) || ''
  const attempts = useMemo(() => (address ? unansweredAttempts(address) : []), [address])
  const { data: opens } = useLatestOpens(attempts.length > 0)
  useEffect(() => {
    const left = new AbortController()
    function look() {
      if (!address || document.hidden) return
      for (const { commitment, items } of unshownOpens(address)) {
        whenUnheld(commitment, left.signal, () => {
          // A tab in the background waits until it is looked at.
          if (!document.hidden && forgetUnshown({ commitment })) void tell(items)
        })
      }
    }
    look()
    document.addEventListener('visibilitychange', look)
    return () => {
      left.abort()
      document.removeEventListener('visibilitychange', look)
    }
  }, [address])
  useEffect(() => {
    const left = new AbortController()
    for (const attempt of attempts) {
      const opened = opens?.find(
        ({ commitment, clientSeed }) => commitment === attempt.commitment && clientSeed === attempt.clientSeed,
      )
      if (!opened) continue
      whenUnheld(attempt.commitment, left.signal, () => {
        // The attempt stays: opening the pack again asks for the same draw and shows it.
        if (markTold(address, attempt)) void tell(opened.items.length)
      })
    }
    return () => left.abort()
  }, [address, attempts, opens])
}

async function tell(items: number): Promise<void> {
  const { toast: t } = (await openingTexts.load()).opening
  toast({ title: t.opened, description: t.pulled(items), link: { to: '/my-opens', text: t.view } })
}
