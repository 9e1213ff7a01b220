import { useEffect, useMemo } from 'react'
import { useLatestOpens } from '@/api/opens'
import { useSession } from '@/lib/session'
import { toast } from '@/lib/toast'
import { markReported, unansweredAttempts } from './attempt'
import { whenReleased } from './open-lock'
import { openingTexts } from './texts'
import { forgetUnshown, unshownOpens } from './unshown'

/** Reports opens that a reload or a closed tab interrupted, with a link to the result. */
export function useInterrupted(): void {
  const { user, walletMismatch } = useSession()
  const address = (!walletMismatch && user?.walletAddress) || ''
  const attempts = useMemo(() => (address ? unansweredAttempts(address) : []), [address])
  const { data: opens } = useLatestOpens(attempts.length > 0)
  useEffect(() => {
    const unmounted = new AbortController()
    function notifyUnshown() {
      if (!address || document.hidden) return
      for (const unshown of unshownOpens(address)) {
        whenReleased(unshown.commitment, unmounted.signal, () => {
          // Hidden tabs wait until they're visible.
          if (document.hidden || !forgetUnshown(unshown)) return
          void (unshown.pending ? notifyOrdered() : notify(unshown.items))
        })
      }
    }
    notifyUnshown()
    document.addEventListener('visibilitychange', notifyUnshown)
    return () => {
      unmounted.abort()
      document.removeEventListener('visibilitychange', notifyUnshown)
    }
  }, [address])
  useEffect(() => {
    const unmounted = new AbortController()
    for (const attempt of attempts) {
      const opened = opens?.find(
        ({ commitment, clientSeed }) => commitment === attempt.commitment && clientSeed === attempt.clientSeed,
      )
      if (!opened) continue
      whenReleased(attempt.commitment, unmounted.signal, () => {
        // The attempt stays: opening the pack again shows the same draw.
        if (!markReported(address, attempt)) return
        void (opened.state === 'sealed' ? notifyOrdered() : notify(opened.items.length))
      })
    }
    return () => unmounted.abort()
  }, [address, attempts, opens])
}

/** How long a notice is shown, in milliseconds. A later one within this time replaces it and counts its items, too. */
const noticeMs = 5000
let latest = { items: 0, at: 0 }

async function notify(items: number): Promise<void> {
  const now = Date.now()
  latest = { items: items + (now - latest.at < noticeMs ? latest.items : 0), at: now }
  const { toast: t } = (await openingTexts.load()).opening
  toast({ title: t.opened, description: t.pulled(latest.items), link: { to: '/my-opens', text: t.view } })
}

/** For an order whose draw this browser hasn't seen. */
async function notifyOrdered(): Promise<void> {
  const { toast: t } = (await openingTexts.load()).opening
  toast({ title: t.ordered, description: t.orderedText, link: { to: '/my-opens', text: t.view } })
}
