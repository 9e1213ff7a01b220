import { Link } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { usePlayResults, useReminderMinutes } from '@/api/limits'
import { dollars } from '@/lib/format'
import { sessionStore } from '@/lib/storage'
import { Button } from '@/components/ui/button'
import { Dialog, DialogContent, DialogHeader } from '@/components/ui/dialog'
import { limitsTexts } from './texts'

const key = 'kaibao-here-since'
const minute = 60_000

/** Since when this tab has been open, whatever was reloaded. */
function hereSince(): number {
  const kept = Number(sessionStore.getItem(key))
  if (kept > 0) return kept
  const now = Date.now()
  sessionStore.setItem(key, String(now))
  return now
}

/** Says after as many minutes as the visitor chose how long it has been, and again after as many. */
export default function RealityCheck() {
  const every = useReminderMinutes() ?? null
  const [told, setTold] = useState<number | null>(null)
  const [since] = useState(hereSince)
  useEffect(() => {
    if (every === null || told !== null) return undefined
    const passed = Date.now() - since
    const timer = setTimeout(
      () => setTold(Math.round((Date.now() - since) / minute)),
      every * minute - (passed % (every * minute)),
    )
    return () => clearTimeout(timer)
  }, [every, since, told])
  if (told === null) return null
  return <Told minutes={told} since={since} onClose={() => setTold(null)} />
}

function Told({ minutes, since, onClose }: { minutes: number; since: number; onClose: () => void }) {
  const t = limitsTexts.useT().reality
  // Asked for anew each time: the time of the end is in the key.
  const { data } = usePlayResults(new Date(since).toISOString(), minutes)
  return (
    <Dialog open onOpenChange={(open) => !open && onClose()}>
      <DialogContent>
        <DialogHeader title={t.title(minutes)} text={data ? t.net(dollars(data.netCents)) : t.text} />
        <div className="mt-4 flex justify-end gap-3">
          <Button asChild variant="secondary" onClick={onClose}>
            <Link to="/limits">{t.toLimits}</Link>
          </Button>
          <Button onClick={onClose}>{t.goOn}</Button>
        </div>
      </DialogContent>
    </Dialog>
  )
}
