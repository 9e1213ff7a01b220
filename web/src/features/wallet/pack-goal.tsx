import { Link } from '@tanstack/react-router'
import { ArrowLeft } from 'lucide-react'
import { usePack } from '@/api/packs'
import { useWallet } from '@/api/wallet'
import { Coin } from '@/components/points'
import { usePackName } from '@/i18n/names'
import { points } from '@/lib/format'
import { Button } from '@/components/ui/button'
import { walletTexts } from './texts'

/** The pack that the user tops up for: what is missing, and the way back to it. */
export function PackGoal({ packId }: { packId: string }) {
  const t = walletTexts.useT().topup.goal
  const packName = usePackName()
  const pack = usePack(packId).data
  const balanceCents = useWallet().data?.balanceCents
  if (!pack || balanceCents === undefined) return null
  const name = packName(pack)
  const missing = pack.priceCents - balanceCents
  const enough = missing <= 0
  return (
    <section
      aria-label={t.label}
      className="panel mb-6 flex flex-wrap items-center gap-x-5 gap-y-3 rounded-2xl px-6 py-4"
    >
      <p role="status" className="flex min-w-0 flex-1 items-center gap-2.5 text-sm">
        <Coin />
        <span>{enough ? t.enough(name) : t.missing(points(missing), name)}</span>
      </p>
      <Button asChild variant={enough ? 'primary' : 'secondary'}>
        <Link to="/pack/$packId" params={{ packId }}>
          <ArrowLeft aria-hidden />
          <span>{t.back(name)}</span>
        </Link>
      </Button>
    </section>
  )
}
