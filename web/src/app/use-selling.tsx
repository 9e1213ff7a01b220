import { DialogSlot } from '@/components/ui/dialog-slot'
import { lazy, startTransition, useState } from 'react'
import BulkButtons from '@/features/market/bulk/bulk-buttons'
import { QuickSellButton } from '@/features/sellback/quick-sell-button'
import { isSellable, type Owned, type Sellable } from '@/features/sellback/sellable'
import { PickCheckbox, type Picks, Selection } from '@/features/sellback/selection'
import type { PagedList } from '@/features/sellback/use-all-pages'
import { GiveButton, GiveSelectedButton } from './give-button'

const GiveDialog = lazy(() => import('@/features/gifts/give-dialog'))
const QuickSellDialog = lazy(() => import('@/features/sellback/quick-sell-dialog'))

/** Quick-sell, listing and gift buttons for a page's rows, one by one or several at once. */
export function useSelling<T>(owned: (entry: T) => Owned) {
  const [picks, setPicks] = useState<Picks>()
  const [quickSelling, setQuickSelling] = useState<readonly Sellable[]>()
  // The dialogs belong to the page: rows disappear once they are sold or given.
  const [giving, setGiving] = useState<readonly Owned[]>()
  const startGiving = (items: readonly Owned[]) => startTransition(() => setGiving(items))
  const startQuickSell = (items: readonly Sellable[]) => startTransition(() => setQuickSelling(items))
  const updatePicks = (update: (before: Picks) => Picks) => setPicks((before) => before && update(before))
  const without = (before: Picks, ids: readonly string[]) => new Map([...before].filter(([id]) => !ids.includes(id)))
  return {
    /** The quick-sell button of an entry, or false if Kaibao doesn't buy it. */
    quickSell: (entry: T) =>
      isSellable(owned(entry)) && <QuickSellButton item={owned(entry)} onSell={startQuickSell} />,
    /** The button that gives an entry, or shows its gift. */
    give: (entry: T, { iconOnly = false } = {}) => (
      <GiveButton entry={owned(entry)} iconOnly={iconOnly} onGive={startGiving} />
    ),
    /** Opens the quick-sell dialog for an entry. */
    sellNow: (entry: T) => startQuickSell([owned(entry)]),
    /** A checkbox that replaces an entry's buttons in selection mode. */
    pick:
      picks &&
      ((entry: T) => (
        <PickCheckbox
          entry={owned(entry)}
          picks={picks}
          onPick={(item, picked) =>
            updatePicks((before) =>
              picked ? new Map([...before, [item.inventoryId, item]]) : without(before, [item.inventoryId]),
            )
          }
        />
      )),
    /** Selection bar above a list. `scope` identifies the list, and changes with its filter. */
    selection: (list: PagedList<T>, scope: string) => (
      <Selection
        list={list}
        scope={scope}
        owned={owned}
        picks={picks}
        onPicks={setPicks}
        onSell={startQuickSell}
        otherActions={(chosen) => (
          <>
            <BulkButtons entries={chosen} onDone={(ids) => updatePicks((before) => without(before, ids))} />
            <GiveSelectedButton entries={chosen} onGive={startGiving} />
          </>
        )}
      />
    ),
    dialog: (
      <>
        <DialogSlot open={giving !== undefined} onClose={() => setGiving(undefined)}>
          {giving && (
            <GiveDialog
              entries={giving}
              onGiven={(ids) => updatePicks((before) => without(before, ids))}
              onClose={() => setGiving(undefined)}
            />
          )}
        </DialogSlot>
        <DialogSlot open={quickSelling !== undefined} onClose={() => setQuickSelling(undefined)}>
          {quickSelling && (
            <QuickSellDialog
              items={quickSelling}
              onSold={(sold) =>
                updatePicks((before) =>
                  without(
                    before,
                    sold.map(({ inventoryId }) => inventoryId),
                  ),
                )
              }
              onClose={() => setQuickSelling(undefined)}
            />
          )}
        </DialogSlot>
      </>
    ),
  }
}
