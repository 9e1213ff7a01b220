import { useEffect, useMemo } from 'react'
import { useLatestOpens } from '@/api/opens'
import { useSession } from '@/lib/session'
import { toast } from '@/lib/toast'
import { markTold, unansweredAttempts } from './attempt'
import { openingTexts } from './texts'
import { takeUnshown } from './unshown'

/** Tells the visitor of opens that a reload or a closed tab interrupted, with a link to the result. */
export function useInterrupted(): void {
  const { user, frozen } = useSession()
  const address = (!frozen && user?.walletAddress) || ''
  const attempts = useMemo(() => (address ? unansweredAttempts(address) : []), [address])
  const { data: opens } = useLatestOpens(attempts.length > 0)
  useEffect(() => {
    const items = address ? takeUnshown(address) : undefined
    if (items !== undefined) void tell(items)
  }, [address])
  useEffect(() => {
    for (const attempt of attempts) {
      const opened = opens?.find(
        ({ commitment, clientSeed }) => commitment === attempt.commitment && clientSeed === attempt.clientSeed,
      )
      // The attempt stays: opening the pack again asks for the same draw and shows it.
      if (opened && markTold(address, attempt)) void tell(opened.items.length)
    }
  }, [address, attempts, opens])
}

async function tell(items: number): Promise<void> {
  const { toast: t } = await openingTexts.load()
  toast({ title: t.opened, description: t.pulled(items), link: { to: '/my-opens', text: t.view } })
}
