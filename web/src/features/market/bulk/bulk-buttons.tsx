import { lazy, startTransition, useState } from 'react'
import { config } from '@/lib/config'
import { useSession } from '@/lib/session'
import { Button } from '@/components/ui/button'
import { DialogSlot } from '@/components/ui/dialog-slot'
import { clearIfCurrent } from '@/components/ui/dialog'
import { marketTexts } from '../texts'
import type { BulkEntry } from './preview-list'
import type { BulkAct } from './use-bulk'

const BulkDialog = lazy(() => import('./bulk-dialog'))

interface BulkButtonsProps {
  entries: readonly BulkEntry[]
  /** Called with the ids of the changed entries. */
  onDone: (ids: readonly string[]) => void
}

/** Lists, reprices or delists the selected entries. */
export default function BulkButtons({ entries, onDone }: BulkButtonsProps) {
  const t = marketTexts.useT().bulk
  const { walletMismatch } = useSession()
  const [act, setAct] = useState<BulkAct>()
  const held = entries.filter(({ state }) => state === 'held')
  const listed = entries.filter(({ state }) => state === 'listed')
  const entriesOf = { list: held, reprice: listed, delist: listed }
  return (
    <>
      {(config.rules.market ? (['list', 'reprice', 'delist'] as const) : (['delist'] as const))
        .filter((name) => entriesOf[name].length > 0)
        .map((name) => (
          <Button
            key={name}
            variant="secondary"
            size="sm"
            disabled={walletMismatch}
            onClick={() => startTransition(() => setAct(name))}
          >
            {t.buttons[name](entriesOf[name].length)}
          </Button>
        ))}
      <DialogSlot open={act !== undefined} onClose={() => setAct(undefined)}>
        {act && (
          <BulkDialog act={act} entries={entriesOf[act]} onDone={onDone} onClose={() => setAct(clearIfCurrent(act))} />
        )}
      </DialogSlot>
    </>
  )
}
