import { Link } from '@tanstack/react-router'
import { useOnBreak } from '@/api/limits'
import { useT } from '@/i18n'
import { usePackName } from '@/i18n/names'
import type { Pack } from '@/contract/types'
import { useSession } from '@/lib/session'
import { Button } from '@/components/ui/button'
import { Spinner } from '@/components/ui/spinner'
import { isOverPriceLimit } from './buy-state'
import { soldOutClass } from './sold-out-class'

interface PackActionProps {
  pack: Pack
  opening: boolean
  onOpen: (pack: Pack) => void
}

/** The button on a pack card: opens the pack if the user can open it right away, otherwise links to its page. */
export function PackAction({ pack, opening, onOpen }: PackActionProps) {
  const t = useT().catalogue
  const { status, walletMismatch } = useSession()
  const onBreak = useOnBreak()
  const name = usePackName()(pack)
  if (pack.soldOut) {
    return (
      <Button size="sm" variant="secondary" disabled className={soldOutClass} aria-label={`${t.store.soldOut} ${name}`}>
        {t.store.soldOut}
      </Button>
    )
  }
  if (status === 'signed-in' && !walletMismatch && !onBreak && pack.isActive && !isOverPriceLimit(pack)) {
    return (
      <Button
        size="sm"
        disabled={opening}
        aria-label={`${opening ? t.store.opening : t.store.openPack} ${name}`}
        onClick={() => onOpen(pack)}
      >
        {opening && <Spinner />}
        <span>{opening ? t.store.opening : t.store.openPack}</span>
      </Button>
    )
  }
  return (
    <Button asChild size="sm" variant="secondary">
      <Link to="/pack/$packId" params={{ packId: pack.id }} aria-label={`${t.store.viewPack} ${name}`}>
        {t.store.viewPack}
      </Link>
    </Button>
  )
}
