import { Undo2 } from 'lucide-react'
import { lazy, startTransition, Suspense, useState } from 'react'
import { useDelist } from '@/api/trade'
import { useT } from '@/i18n'
import { tradeTexts } from './texts/trade'
import type { InventoryEntry } from '@/lib/contract/types'
import { useSession } from '@/lib/session'
import { toast } from '@/lib/toast'
import { Button } from '@/ui/button'
import { TagIcon } from '@/ui/card-icons'
import { Spinner } from '@/ui/spinner'
import { tellSeller } from './tell-seller'

const ListDialog = lazy(() => import('./list-dialog'))

interface EntryProps {
  entry: Pick<InventoryEntry, 'id' | 'item' | 'state'>
}

interface SellButtonProps extends EntryProps {
  /** Leads to the quick sell of the entry. */
  onQuickSell: () => void
}

/** Puts a held entry up for sale, or takes a listed one back. */
export function SellButton({ entry, onQuickSell }: SellButtonProps) {
  if (entry.state === 'held') return <ListButton entry={entry} onQuickSell={onQuickSell} />
  if (entry.state === 'listed') return <DelistButton entry={entry} className="w-full" />
  return null
}

function ListButton({ entry, onQuickSell }: SellButtonProps) {
  const t = tradeTexts.useT()
  const { frozen } = useSession()
  const [open, setOpen] = useState(false)
  return (
    <>
      <Button
        variant="secondary"
        size="sm"
        aria-label={t.sellItem(entry.item.name)}
        disabled={frozen}
        onClick={() => startTransition(() => setOpen(true))}
        className="w-full"
      >
        <TagIcon aria-hidden />
        {t.sell}
      </Button>
      <Suspense>
        {open && <ListDialog entry={entry} onQuickSell={onQuickSell} onClose={() => setOpen(false)} />}
      </Suspense>
    </>
  )
}

/** Takes a listing back. */
export function DelistButton({ entry: { id, item }, className }: EntryProps & { className?: string }) {
  const texts = useT()
  const t = tradeTexts.useT()
  const { frozen } = useSession()
  const delisting = useDelist({
    onDone: () => toast({ title: t.delisted }),
    onFailed: (error) => void tellSeller(t.delistFailed, error, texts),
  })
  return (
    <Button
      variant="secondary"
      size="sm"
      aria-label={t.delistItem(item.name)}
      disabled={frozen || delisting.isPending}
      onClick={() => delisting.mutate({ inventoryId: id })}
      className={className}
    >
      {delisting.isPending ? <Spinner /> : <Undo2 aria-hidden />}
      {t.delist}
    </Button>
  )
}
