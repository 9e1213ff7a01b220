import type { Item } from '@/lib/api/types'
import { dollars } from '@/lib/format'
import { Dialog, DialogContent, DialogHeader } from '@/ui/dialog'
import { Slab } from '@/ui/slab'

interface EnlargedProps {
  item: Item
  /** Toys say what they are worth. */
  toy: boolean
  onClose: () => void
}

/** One item of the showcase, as large as the window allows. */
export default function Enlarged({ item, toy, onClose }: EnlargedProps) {
  return (
    <Dialog open onOpenChange={(open) => !open && onClose()}>
      <DialogContent className="max-w-lg text-center">
        <Slab item={item} glow loading="eager" className="mx-auto w-[min(72%,38dvh)] lift-high" />
        <DialogHeader
          className="mt-5 mb-0 px-4"
          title={item.name}
          text={toy ? `${item.series} · ${dollars(item.baseValueCents)}` : item.series}
        />
      </DialogContent>
    </Dialog>
  )
}
