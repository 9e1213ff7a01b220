import { useWallet } from '@/api/wallet'
import { Points } from '@/components/points'
import { Tiles } from '@/components/ui/tiles'
import { walletTexts } from './texts'

export function BalanceTiles() {
  const t = walletTexts.useT().balance
  const wallet = useWallet()
  const { data } = wallet
  return (
    <Tiles
      query={wallet}
      failed={t.failed}
      columns="grid-cols-2"
      tiles={[
        { label: t.available, value: data && <Points cents={data.balanceCents} /> },
        { label: t.held, value: data && <Points cents={data.heldCents} /> },
      ]}
    />
  )
}
