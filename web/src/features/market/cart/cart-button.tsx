import { ShoppingCart } from 'lucide-react'
import { lazy, startTransition, useState } from 'react'
import { Button } from '@/components/ui/button'
import { DialogSlot } from '@/components/ui/dialog-slot'
import { marketTexts } from '../texts'
import { useCart } from './cart'

const CartDialog = lazy(() => import('./cart-dialog'))

/** Opens the cart; shows the number of its items. */
export default function CartButton({ size }: Pick<Parameters<typeof Button>[0], 'size'>) {
  const t = marketTexts.useT().cart
  const { lines } = useCart()
  const [open, setOpen] = useState(false)
  return (
    <>
      <Button variant="secondary" size={size} onClick={() => startTransition(() => setOpen(true))}>
        <ShoppingCart aria-hidden />
        <span>{t.open(lines.length)}</span>
      </Button>
      <DialogSlot open={open} onClose={() => setOpen(false)}>
        {open && <CartDialog onClose={() => setOpen(false)} />}
      </DialogSlot>
    </>
  )
}
