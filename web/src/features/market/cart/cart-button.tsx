import { ShoppingCart } from 'lucide-react'
import { lazy, startTransition, Suspense, useState } from 'react'
import { Button } from '@/ui/button'
import { cartTexts } from '../texts/cart'
import { useCart } from './cart'

const CartDialog = lazy(() => import('./cart-dialog'))

/** How much is in the cart, and the way to it. */
export default function CartButton({ size }: Pick<Parameters<typeof Button>[0], 'size'>) {
  const t = cartTexts.useT()
  const { lines } = useCart()
  const [open, setOpen] = useState(false)
  return (
    <>
      <Button variant="secondary" size={size} onClick={() => startTransition(() => setOpen(true))}>
        <ShoppingCart aria-hidden />
        <span>{t.open(lines.length)}</span>
      </Button>
      <Suspense>{open && <CartDialog onClose={() => setOpen(false)} />}</Suspense>
    </>
  )
}
