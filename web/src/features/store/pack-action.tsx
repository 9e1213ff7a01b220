import { Link } from '@tanstack/react-router'
import { useOnBreak } from '@/api/limits'
import { useWallet } from '@/api/wallet'
import { useT } from '@/i18n'
import { usePackName } from '@/i18n/names'
import type { Pack } from '@/contract/types'
import { number, shortDigits, shortPoints } from '@/lib/format'
import { useSkipsIntro } from '@/lib/fast-mode'
import { useSession } from '@/lib/session'
import { spendOnce } from '@/lib/spend-once'
import { Button } from '@/components/ui/button'
import { Points } from '@/components/points'
import { Spinner } from '@/components/ui/spinner'
import { isOverPriceLimit } from './buy-state'
import { soldOutClass } from './sold-out-class'
import { topUpAmount, useTopUp } from '@/components/use-top-up'

interface PackActionProps {
  pack: Pack
  opening: boolean
  onOpen: (pack: Pack) => void
}

/** The button on a pack card: opens the pack or adds the points it takes; it links to the pack if neither is possible. */
export function PackAction({ pack, opening, onOpen }: PackActionProps) {
  const {
    catalogue: t,
    shell: { playPoints },
  } = useT()
  const { status, walletMismatch } = useSession()
  const onBreak = useOnBreak()
  const skipsIntro = useSkipsIntro()
  const name = usePackName()(pack)
  const { balanceCents = pack.priceCents } = useWallet().data ?? {}
  const { topUp, pending } = useTopUp(pack.id)
  if (pack.soldOut) {
    return (
      <Button size="sm" variant="secondary" disabled className={soldOutClass} aria-label={`${t.store.soldOut} ${name}`}>
        {t.store.soldOut}
      </Button>
    )
  }
  if (status === 'signed-in' && !walletMismatch && !onBreak && pack.isActive && !isOverPriceLimit(pack)) {
    const missing = pack.priceCents - balanceCents
    const label = opening
      ? t.store.opening
      : missing > 0
        ? t.store.topUp(number(topUpAmount(missing)))
        : t.store.openPack
    // Without the intro, this press spends points.
    const price = skipsIntro && !opening && missing <= 0 && `${shortPoints(pack.priceCents)} ${playPoints}`
    return (
      <Button
        size="sm"
        disabled={opening}
        aria-disabled={pending}
        className="aria-disabled:opacity-50"
        aria-label={[label, name, price].filter(Boolean).join(' ')}
        {...spendOnce(() => (missing > 0 ? topUp(missing) : onOpen(pack)))}
      >
        {(opening || pending) && <Spinner />}
        <span>{label}</span>
        {price && <Points cents={pack.priceCents} digits={shortDigits(pack.priceCents)} />}
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
