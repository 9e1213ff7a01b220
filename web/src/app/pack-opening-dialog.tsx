import { type ComponentProps, lazy, type ReactNode, startTransition, Suspense, useState } from 'react'
import { KeepButton } from '@/features/inventory/keep-button'
import { loadTexts as openingTexts, OpeningDialog } from '@/features/opening/opening-dialog'
import { QuickSellButton, SoldMark } from '@/features/sellback/quick-sell-button'
import { SellChoice } from '@/features/sellback/sell-choice'
import { isSellable, type Sellable } from '@/features/sellback/sellable'
import { redemptionsTexts } from '@/features/redemptions/texts'
import { sellbackTexts } from '@/features/sellback/texts'
import { inventoryTexts } from '@/features/inventory/texts'
import { DialogSlot } from '@/components/ui/dialog-slot'
import { ClaimButton } from '@/features/redemptions/claim-button'

const QuickSellDialog = lazy(() => import('@/features/sellback/quick-sell-dialog'))

const VerifyDialog = lazy(async () => ({
  default: (await import('@/features/proofs/verify-dialog')).VerifyDialog,
}))

/** Awaited with the code, so that the dialog does not show before its texts are here. */
export const loadTexts = () =>
  Promise.all([openingTexts(), inventoryTexts.load(), redemptionsTexts.load(), sellbackTexts.load()])

const ShareDialog = lazy(() => import('@/features/pulls/share-dialog'))

type PackOpeningDialogProps = Pick<
  ComponentProps<typeof OpeningDialog>,
  'pack' | 'open' | 'onOpenChange' | 'balanceCents' | 'initialQuantity'
>

/** Opens a pack; pulled items can be kept, quick-sold, shipped and verified. */
export function PackOpeningDialog(props: PackOpeningDialogProps) {
  const [sold, setSold] = useState<ReadonlyMap<string, number>>(new Map())
  const [quickSelling, setQuickSelling] = useState<readonly Sellable[]>()
  const startQuickSell = (items: readonly Sellable[]) => startTransition(() => setQuickSelling(items))
  const forSale = <T extends Sellable>(items: readonly T[]) =>
    items.filter((item) => !sold.has(item.inventoryId) && isSellable({ ...item, state: 'held' }))
  return (
    <>
      <OpeningDialog
        {...props}
        itemActions={(item, alone) => {
          const payout = sold.get(item.inventoryId)
          if (payout !== undefined) return <SoldMark payoutCents={payout} />
          return (
            <div className="grid grid-cols-[repeat(auto-fit,minmax(9rem,1fr))] gap-2">
              {!alone && forSale([item]).length > 0 && (
                <div className="col-span-full">
                  <QuickSellButton item={item} onSell={startQuickSell} />
                </div>
              )}
              <ClaimButton inventoryId={item.inventoryId} name={item.name} vaulted={false} />
              <KeepButton key={item.inventoryId} inventoryId={item.inventoryId} name={item.name} />
            </div>
          )
        }}
        sellChoice={(items, selected) => <SellChoice items={items} selected={selected} onSell={startQuickSell} />}
        sellable={forSale}
        isSold={({ inventoryId }) => sold.has(inventoryId)}
        verification={(verification) => (
          <WhenOpened open={verification.open}>
            <VerifyDialog {...verification} />
          </WhenOpened>
        )}
        sharing={(sharing) => (
          <WhenOpened open={sharing.open}>
            <ShareDialog {...sharing} />
          </WhenOpened>
        )}
      />
      <DialogSlot open={quickSelling !== undefined} onClose={() => setQuickSelling(undefined)}>
        {quickSelling && (
          <QuickSellDialog
            items={quickSelling}
            onSold={(lines) =>
              setSold(
                (before) => new Map([...before, ...lines.map((line) => [line.inventoryId, line.payoutCents] as const)]),
              )
            }
            onClose={() => setQuickSelling(undefined)}
          />
        )}
      </DialogSlot>
    </>
  )
}

/** Loads a dialog with its first opening, and keeps it from then on, so that it can leave softly. */
function WhenOpened({ open, children }: { open: boolean; children: ReactNode }): ReactNode {
  const [needed, setNeeded] = useState(open)
  if (open && !needed) setNeeded(true)
  return needed && <Suspense>{children}</Suspense>
}
