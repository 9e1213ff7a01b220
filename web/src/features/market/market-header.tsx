import { Store, Wallet } from 'lucide-react'
import { lazy, startTransition, useState } from 'react'
import { marketTexts } from './texts'
import { useSession } from '@/lib/session'
import { Badge } from '@/components/ui/badge'
import { DialogSlot } from '@/components/ui/dialog-slot'
import { Button } from '@/components/ui/button'
import CartButton from './cart/cart-button'

const MyListings = lazy(() => import('./my-listings'))

/** The marketplace's header actions: connect, or the cart and the user's listings. */
export function MarketHeader() {
  const t = marketTexts.useT().market
  const { status, connect } = useSession()
  const [managing, setManaging] = useState(false)
  if (status === 'loading') return null
  if (status === 'signed-out') {
    return (
      <Button onClick={connect}>
        <Wallet aria-hidden />
        <span>{t.connectWallet}</span>
      </Button>
    )
  }
  return (
    <div className="flex items-center gap-3">
      <Badge variant="positive">{t.connected}</Badge>
      <CartButton size="md" />
      <Button variant="secondary" onClick={() => startTransition(() => setManaging(true))}>
        <Store aria-hidden />
        <span>{t.market.manage}</span>
      </Button>
      <DialogSlot open={managing} onClose={() => setManaging(false)}>
        {managing && <MyListings onClose={() => setManaging(false)} />}
      </DialogSlot>
    </div>
  )
}
