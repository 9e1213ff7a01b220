import { Dialog, DialogContent, DialogHeader } from '@/components/ui/dialog'
import { Slab } from './slab'

interface EnlargedProps {
  item: { name: string; imageUrl: string; rarity: string }
  /** Shown below the name. */
  text: string
  onClose: () => void
}

/** Shows an item as large as the window allows. */
export default function Enlarged({ item, text, onClose }: EnlargedProps) {
  return (
    <Dialog open onOpenChange={(open) => !open && onClose()}>
      <DialogContent className="max-w-lg text-center">
        <Slab item={item} glow loading="eager" className="mx-auto w-[min(72%,38dvh)]" />
        <DialogHeader className="mt-5 mb-0 px-4" title={item.name} text={text} />
      </DialogContent>
    </Dialog>
  )
}
