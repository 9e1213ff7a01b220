import { Link } from '@tanstack/react-router'
import { useOnBreak } from '@/api/limits'
import { useT } from '@/i18n'
import type { Pack } from '@/contract/types'
import { useSession } from '@/lib/session'
import { Button } from '@/components/ui/button'
import { Spinner } from '@/components/ui/spinner'
import { isTooDear } from './buy-state'
import { soldOutLook } from './sold-out-look'

interface PackActionProps {
  pack: Pack
  opening: boolean
  onOpen: (pack: Pack) => void
}

/**
 * In the store: who is signed in opens a pack right away, everybody else, and who has stopped, looks at it first, and at
 * what the house's rules let nobody open. One that is sold out says so.
 */
export function PackAction({ pack, opening, onOpen }: PackActionProps) {
  const t = useT().catalogue
  const { status, frozen } = useSession()
  const stopped = useOnBreak()
  if (pack.soldOut) {
    return (
      <Button
        size="sm"
        variant="secondary"
        disabled
        className={soldOutLook}
        aria-label={`${t.store.soldOut} ${pack.name}`}
      >
        {t.store.soldOut}
      </Button>
    )
  }
  if (status === 'signed-in' && !frozen && !stopped && pack.isActive && !isTooDear(pack)) {
    return (
      <Button
        size="sm"
        disabled={opening}
        aria-label={`${opening ? t.store.opening : t.store.openPack} ${pack.name}`}
        onClick={() => onOpen(pack)}
      >
        {opening && <Spinner />}
        <span>{opening ? t.store.opening : t.store.openPack}</span>
      </Button>
    )
  }
  return (
    <Button asChild size="sm" variant="secondary">
      <Link to="/pack/$packId" params={{ packId: pack.id }} aria-label={`${t.store.viewPack} ${pack.name}`}>
        {t.store.viewPack}
      </Link>
    </Button>
  )
}
