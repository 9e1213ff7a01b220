import { useWallet } from '@/api/wallet'
import { points } from '@/lib/format'
import { Tiles } from '@/components/ui/tiles'
import { ledgerTexts } from './texts'

/** What the visitor can spend, and what their bids hold beside it. */
export function Purse() {
  const t = ledgerTexts.useT()
  const wallet = useWallet()
  const { data } = wallet
  return (
    <Tiles
      query={wallet}
      failed={t.failed}
      columns="grid-cols-2"
      tiles={[
        { label: t.free, value: data && points(data.balanceCents) },
        { label: t.held, value: data && points(data.heldCents) },
      ]}
    />
  )
}
