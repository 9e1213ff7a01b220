import { DialogSlot } from '@/components/ui/dialog-slot'
import { lazy, startTransition, Suspense, useState } from 'react'
import { isSellable, type Owned, type Sellable } from '@/features/sellback/sellable'
import type { Picks, Selection as SelectionOf } from '@/features/sellback/selection'
import type { PagedList } from '@/features/sellback/use-all-pages'

// Nothing of it comes with the page: who only looks sells nothing.
const QuickSellButton = lazy(async () => ({
  default: (await import('@/features/sellback/quick-sell-button')).QuickSellButton,
}))
const selection = () => import('@/features/sellback/selection')
const Selection = lazy(async () => ({ default: (await selection()).Selection })) as typeof SelectionOf
const Pick = lazy(async () => ({ default: (await selection()).Pick }))
const BulkButtons = lazy(() => import('@/features/market/bulk/bulk-buttons'))
const QuickSellDialog = lazy(() => import('@/features/sellback/quick-sell-dialog'))

/** Lets a page sell entries, one or several, quickly or on the marketplace, where collection and selling meet. */
export function useSelling<T>(owned: (entry: T) => Owned) {
  const [picks, setPicks] = useState<Picks>()
  const [offered, setOffered] = useState<readonly Sellable[]>()
  const offer = (items: readonly Sellable[]) => startTransition(() => setOffered(items))
  const change = (make: (before: Picks) => Picks) => setPicks((before) => before && make(before))
  const without = (before: Picks, ids: readonly string[]) => new Map([...before].filter(([id]) => !ids.includes(id)))
  return {
    /** The button that sells one entry quickly; none for what the house does not buy. */
    quickSell: (entry: T) =>
      isSellable(owned(entry)) && (
        <Suspense fallback={place}>
          <QuickSellButton item={owned(entry)} onSell={offer} />
        </Suspense>
      ),
    /** What its press does. */
    sellNow: (entry: T) => offer([owned(entry)]),
    /** In the place of an entry's buttons while several are selected. */
    pick:
      picks &&
      ((entry: T) => (
        <Suspense fallback={place}>
          <Pick
            entry={owned(entry)}
            picks={picks}
            onPick={(item, picked) =>
              change((before) =>
                picked ? new Map([...before, [item.inventoryId, item]]) : without(before, [item.inventoryId]),
              )
            }
          />
        </Suspense>
      )),
    /** Above a list: the way to select several of it. `scope` says what the list is of. */
    selection: (list: PagedList<T>, scope: string) => (
      <Suspense fallback={<div className="mb-4 h-8" />}>
        <Selection
          list={list}
          scope={scope}
          owned={owned}
          picks={picks}
          onPicks={setPicks}
          onSell={offer}
          more={(chosen) => (
            <Suspense>
              <BulkButtons entries={chosen} onDone={(ids) => change((before) => without(before, ids))} />
            </Suspense>
          )}
        />
      </Suspense>
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

const place = <div className="h-8" />
