import { ShoppingCart } from 'lucide-react'
import { cn } from '@/lib/cn'
import { terms } from '@/lib/config'
import { useSession } from '@/lib/session'
import { toast } from '@/lib/toast'
import { Button } from '@/components/ui/button'
import { marketTexts } from '../texts'
import { type CartLine, useCart } from './cart'

/** Puts a listing into the cart, or takes it out. */
export default function AddButton({ line, className }: { line: CartLine; className?: string }) {
  const t = marketTexts.useT().cart
  const { status, connect } = useSession()
  const { lines, add, remove } = useCart()
  const { inventoryId, item } = line
  const inside = lines.some((one) => one.inventoryId === inventoryId)
  function press() {
    if (status === 'signed-out') connect()
    else if (inside) remove([inventoryId])
    else if (add([line]) === 0) {
      toast({ title: t.full, description: t.fullText(terms.mostInCart), variant: 'destructive' })
    }
  }
  return (
    <Button
      variant="secondary"
      size="icon"
      aria-label={inside ? t.takeOut(item.name) : t.add(item.name)}
      title={inside ? t.takeOut(item.name) : t.add(item.name)}
      onClick={press}
      className={cn(inside && 'border-gold text-gold-text hover:border-gold', className)}
    >
      <ShoppingCart aria-hidden />
    </Button>
  )
}
