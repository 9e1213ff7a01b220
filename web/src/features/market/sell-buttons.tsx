import { Undo2 } from 'lucide-react'
import { lazy, startTransition, useState } from 'react'
import { useDelist } from '@/api/marketplace'
import { useT } from '@/i18n'
import { marketTexts } from './texts'
import type { InventoryEntry } from '@/contract/types'
import { useSession } from '@/lib/session'
import { toast } from '@/lib/toast'
import { Button } from '@/components/ui/button'
import { DialogSlot } from '@/components/ui/dialog-slot'
import { TagIcon } from '@/components/ui/card-icons'
import { Spinner } from '@/components/ui/spinner'
import { tellSeller } from './tell-seller'

const ListDialog = lazy(() => import('./list-dialog'))

interface EntryProps {
  entry: Pick<InventoryEntry, 'id' | 'item' | 'state'>
}

interface SellButtonProps extends EntryProps {
  /** Leads to the quick sell of the entry. */
  onQuickSell: () => void
}

/** Puts a held entry up for sale, or takes a listed one back: one button, which keeps the focus as it becomes the other. */
export function SellButton({ entry, onQuickSell }: SellButtonProps) {
  const t = marketTexts.useT().trade
  const { frozen } = useSession()
  const [open, setOpen] = useState(false)
  const delisting = useDelisting(entry)
  if (entry.state !== 'held' && entry.state !== 'listed') return null
  const listing = {
    'aria-label': t.sellItem(entry.item.name),
    disabled: frozen,
    onClick: () => startTransition(() => setOpen(true)),
    children: (
      <>
        <TagIcon aria-hidden />
        <span>{t.sell}</span>
      </>
    ),
  }
  return (
    <>
      <Button
        variant="secondary"
        size="sm"
        {...(entry.state === 'held' ? listing : delisting)}
        className="w-full aria-disabled:opacity-50"
      />
      <DialogSlot open={open} onClose={() => setOpen(false)}>
        {open && <ListDialog entry={entry} onQuickSell={onQuickSell} onClose={() => setOpen(false)} />}
      </DialogSlot>
    </>
  )
}

/** Takes a listing back. */
export function DelistButton({ entry }: EntryProps) {
  return <Button variant="secondary" size="sm" {...useDelisting(entry)} className="aria-disabled:opacity-50" />
}

function useDelisting({ id, item }: EntryProps['entry']) {
  const texts = useT()
  const t = marketTexts.useT().trade
  const { frozen } = useSession()
  const { isPending, mutate } = useDelist({
    onDone: () => toast({ title: t.delisted }),
    onFailed: (error) => void tellSeller(t.delistFailed, error, texts),
  })
  return {
    'aria-label': t.delistItem(item.name),
    disabled: frozen,
    // What is disabled cannot keep the focus.
    'aria-disabled': isPending,
    onClick: () => !isPending && mutate({ inventoryId: id }),
    children: (
      <>
        {isPending ? <Spinner /> : <Undo2 aria-hidden />}
        <span>{t.delist}</span>
      </>
    ),
  }
}
