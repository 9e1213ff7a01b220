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
import { showSellerError } from './seller-error'

const ListDialog = lazy(() => import('./list-dialog'))

interface EntryProps {
  entry: Pick<InventoryEntry, 'id' | 'item' | 'state'>
}

interface SellButtonProps extends EntryProps {
  /** Opens quick sell for the entry. */
  onQuickSell: () => void
}

/** Lists a held entry or delists a listed one. It is one button, so that focus stays when the action changes. */
export function SellButton({ entry, onQuickSell }: SellButtonProps) {
  const t = marketTexts.useT().trade
  const { walletMismatch } = useSession()
  const [open, setOpen] = useState(false)
  const delistProps = useDelistProps(entry)
  if (entry.state !== 'held' && entry.state !== 'listed') return null
  const listProps = {
    'aria-label': t.sellItem(entry.item.name),
    disabled: walletMismatch,
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
        {...(entry.state === 'held' ? listProps : delistProps)}
        className="w-full aria-disabled:opacity-50"
      />
      <DialogSlot open={open} onClose={() => setOpen(false)}>
        {open && <ListDialog entry={entry} onQuickSell={onQuickSell} onClose={() => setOpen(false)} />}
      </DialogSlot>
    </>
  )
}

export function DelistButton({ entry }: EntryProps) {
  return <Button variant="secondary" size="sm" {...useDelistProps(entry)} className="aria-disabled:opacity-50" />
}

function useDelistProps({ id, item }: EntryProps['entry']) {
  const texts = useT()
  const t = marketTexts.useT().trade
  const { walletMismatch } = useSession()
  const { isPending, mutate } = useDelist({
    onDone: () => toast({ title: t.delisted }),
    onFailed: (error) => void showSellerError(t.delistFailed, error, texts),
  })
  return {
    'aria-label': t.delistItem(item.name),
    disabled: walletMismatch,
    // A disabled button would lose focus.
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
