import { Eye } from 'lucide-react'
import { lazy, startTransition, Suspense, useState } from 'react'
import { useWatchOf } from '@/api/watchlist'
import { dollars } from '@/lib/format'
import { useSession } from '@/lib/session'
import { Button } from '@/components/ui/button'
import { alertsTexts } from './texts'

const WatchDialog = lazy(() => import('./watch-dialog'))

interface WatchButtonProps {
  itemId: string
  name: string
}

/** Watches an item, or shows and edits its alert price. */
export default function WatchButton({ itemId, name }: WatchButtonProps) {
  const t = alertsTexts.useT().watch
  const { status, walletMismatch, connect } = useSession()
  const { data: watch, isPending } = useWatchOf(itemId)
  const [open, setOpen] = useState(false)
  const below = watch?.belowCents
  const label = !watch ? t.watch : below ? t.watchingBelow(dollars(below)) : t.watching
  return (
    <>
      <Button
        variant="secondary"
        disabled={walletMismatch || (status !== 'signed-out' && isPending)}
        onClick={status === 'signed-out' ? connect : () => startTransition(() => setOpen(true))}
      >
        <Eye aria-hidden className={watch ? 'text-gold-text' : ''} />
        <span>{label}</span>
      </Button>
      <Suspense>
        {open && <WatchDialog itemId={itemId} name={name} watch={watch ?? null} onClose={() => setOpen(false)} />}
      </Suspense>
    </>
  )
}
