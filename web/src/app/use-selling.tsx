import { DialogSlot } from '@/components/ui/dialog-slot'
import { lazy, startTransition, useState } from 'react'
import BulkButtons from '@/features/market/bulk/bulk-buttons'
import { QuickSellButton } from '@/features/sellback/quick-sell-button'
import { isSellable, type Owned, type Sellable } from '@/features/sellback/sellable'
import { Pick, type Picks, Selection } from '@/features/sellback/selection'
import type { PagedList } from '@/features/sellback/use-all-pages'

const QuickSellDialog = lazy(() => import('@/features/sellback/quick-sell-dialog'))

/** Lets a page sell entries, one or several, quickly or on the marketplace, where collection and selling meet. */
export function useSelling<T>(owned: (entry: T) => Owned) {
  const [picks, setPicks] = useState<Picks>()
  const [offered, setOffered] = useState<readonly Sellable[]>()
  const offer = (items: readonly Sellable[]) => startTransition(() => setOffered(items))
  const change = (make: (before: Picks) => Picks) => setPicks((before) => before && make(before))
  const without = (before: Picks, ids: readonly string[]) => new Map([...before].filter(([id]) => !ids.includes(id)))
  return {
    /** The quick-sell button of an entry, or false if Kaibao doesn't buy it. */
    quickSell: (entry: T) => isSellable(owned(entry)) && <QuickSellButton item={owned(entry)} onSell={offer} />,
    /** Opens the quick-sell dialog for an entry. */
    sellNow: (entry: T) => offer([owned(entry)]),
    /** In the place of an entry's buttons while several are selected. */
    pick:
      picks &&
      ((entry: T) => (
        <Pick
          entry={owned(entry)}
          picks={picks}
          onPick={(item, picked) =>
            change((before) =>
              picked ? new Map([...before, [item.inventoryId, item]]) : without(before, [item.inventoryId]),
            )
          }
        />
      )),
    /** Above a list: the way to select several of it. `scope` says what the list is of. */
    selection: (list: PagedList<T>, scope: string) => (
      <Selection
        list={list}
        scope={scope}
        owned={owned}
        picks={picks}
        onPicks={setPicks}
        onSell={offer}
        more={(chosen) => <BulkButtons entries={chosen} onDone={(ids) => change((before) => without(before, ids))} />}
      />
    ),
    dialog: (
      <DialogSlot open={offered !== undefined} onClose={() => setOffered(undefined)}>
        {offered && (
          <QuickSellDialog
            items={offered}
            onSold={(sold) =>
              change((before) =>
                without(
                  before,
                  sold.map(({ inventoryId }) => inventoryId),
                ),
              )
            }
            onClose={() => setOffered(undefined)}
          />
        )}
      </DialogSlot>
    ),
  }
}
