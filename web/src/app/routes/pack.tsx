import { useParams } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'
import { BuyBox } from '@/features/store/pack-page/buy-box'
import { PackPage as Pack } from '@/features/store/pack-page/pack-page'
import { useWallet } from '@/api/wallet'
import { useDemoOpening } from '../use-demo-opening'
import { usePackOpening } from '../use-pack-opening'

// Below the fold.
const PackPulls = lazy(async () => ({ default: (await import('@/features/leaderboard/pack-pulls')).PackPulls }))

export function PackPage() {
  const { packId } = useParams({ from: '/pack/$packId' })
  const wallet = useWallet()
  const { open, isOpening, dialog } = usePackOpening()
  const { showDemo, demo } = useDemoOpening()
  return (
    <div className="narrow:hidden">
      <Pack
        packId={packId}
        buyBox={(pack) => (
          <BuyBox
            pack={pack}
            balanceCents={wallet.isError ? 'failed' : wallet.data?.balanceCents}
            onRetry={() => void wallet.refetch()}
            opening={isOpening(pack)}
            onOpen={(quantity) => open(pack, quantity)}
            onDemo={() => showDemo(pack)}
          />
        )}
        pulls={(pack) => (
          <Suspense>
            <PackPulls pack={pack} />
          </Suspense>
        )}
      />
      {dialog}
      {demo}
    </div>
  )
}
