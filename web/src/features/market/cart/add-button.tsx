import { ShoppingCart } from 'lucide-react'
import { cn } from '@/lib/cn'
import { terms } from '@/lib/config'
import { useSession } from '@/lib/session'
import { toast } from '@/lib/toast'
import { Button } from '@/components/ui/button'
import { marketTexts } from '../texts'
import { type CartItem, useCart } from './cart'

/** Adds a listing to the cart, or removes it. */
export default function AddButton({ line, className }: { line: CartItem; className?: string }) {
  const t = marketTexts.useT().cart
  const { status, connect } = useSession()
  const { lines, add, remove } = useCart()
  const { inventoryId, item } = line
  const inCart = lines.some((other) => other.inventoryId === inventoryId)
  function onClick() {
    if (status === 'signed-out') connect()
    else if (inCart) remove([inventoryId])
    else if (add([line]) === 0) {
      toast({ title: t.full, description: t.fullText(terms.mostInCart), variant: 'destructive' })
    }
  }
  return (
    <Button
      variant="secondary"
      size="icon"
      aria-label={inCart ? t.removeFromCart(item.name) : t.add(item.name)}
      title={inCart ? t.removeFromCart(item.name) : t.add(item.name)}
      onClick={onClick}
      disabled={status === 'loading'} // whose cart it is isn't known yet
      className={cn(inCart && 'border-gold text-gold-text', className)}
    >
      <ShoppingCart aria-hidden />
    </Button>
  )
}
