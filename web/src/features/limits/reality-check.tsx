import { Link } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { useBreak, usePlayResults, useReminderMinutes } from '@/api/limits'
import { points } from '@/lib/format'
import { useSession } from '@/lib/session'
import { sessionStore } from '@/lib/storage'
import { rememberBreak } from '@/lib/wallet-break'
import { Button } from '@/components/ui/button'
import { Dialog, DialogContent, DialogHeader } from '@/components/ui/dialog'
import { limitsTexts } from './texts'

const key = 'kaibao-here-since'
const minute = 60_000

/** When this tab was opened (ms); survives reloads. */
function visitStart(): number {
  const stored = Number(sessionStore.getItem(key))
  if (stored > 0) return stored
  const now = Date.now()
  sessionStore.setItem(key, String(now))
  return now
}

/** Shows a reminder whenever the interval that the user chose has passed. */
export default function RealityCheck() {
  const every = useReminderMinutes() ?? null
  useRememberedBreak()
  const [shownMinutes, setShownMinutes] = useState<number | null>(null)
  const [since] = useState(visitStart)
  useEffect(() => {
    if (every === null || shownMinutes !== null) return undefined
    const passed = Date.now() - since
    const timer = setTimeout(
      () => setShownMinutes(Math.round((Date.now() - since) / minute)),
      every * minute - (passed % (every * minute)),
    )
    return () => clearTimeout(timer)
  }, [every, since, shownMinutes])
  if (shownMinutes === null) return null
  return <Reminder minutes={shownMinutes} since={since} onClose={() => setShownMinutes(null)} />
}

/** Keeps in this browser whether its wallet is on a break. */
function useRememberedBreak(): void {
  const { user } = useSession()
  const pause = useBreak()
  const address = user?.walletAddress
  useEffect(() => {
    if (address !== undefined && pause !== undefined) rememberBreak(address, pause)
  }, [address, pause])
}

function Reminder({ minutes, since, onClose }: { minutes: number; since: number; onClose: () => void }) {
  const t = limitsTexts.useT().reality
  // The minutes are part of the query key, so each reminder loads current figures.
  const { data } = usePlayResults(new Date(since).toISOString(), minutes)
  return (
    <Dialog open onOpenChange={(open) => !open && onClose()}>
      <DialogContent>
        <DialogHeader title={t.title(minutes)} text={data ? t.net(points(data.netCents)) : t.text} />
        <div className="mt-4 flex justify-end gap-3">
          <Button asChild variant="secondary" onClick={onClose}>
            <Link to="/limits">{t.toLimits}</Link>
          </Button>
          <Button variant="secondary" onClick={onClose}>
            {t.goOn}
          </Button>
        </div>
      </DialogContent>
    </Dialog>
  )
}
