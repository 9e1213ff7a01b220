import { type ReactNode, useState } from 'react'
import type { Opening, PulledItem } from '@/contract/types'
import { Notice } from '@/components/ui/notice'
import { clearConfetti } from './celebrate'
import type { Haul } from './haul'
import { HaulGrid, Offer, SingleItem } from './haul-grid'
import styles from './opening.module.css'
import { PickUnder } from './pick-under'
import { MoreActions, ResultChoices } from './result-actions'
import { Comparison, ResultHeading, ResultSummary } from './result-summary'
import { RunNotice } from './run-notice'
import type { Run } from './run'
import { Stage } from './stage'
import { useOpeningT } from './texts'

/** A dialog about openings, provided by another feature. */
export type OpeningsDialog = (props: {
  openings: readonly Opening[]
  open: boolean
  onOpenChange: (open: boolean) => void
}) => ReactNode

/** Actions for pulled items, provided by other features. */
export interface HaulSlots {
  /** `alone` if it's the only item, whose sale is one of the main choices. */
  itemActions: (item: PulledItem, alone: boolean) => ReactNode
  /** The button that sells these items. */
  sellChoice: (items: readonly PulledItem[], selected: boolean) => ReactNode
  /** Those of the items that can be sold now. */
  sellable: (items: readonly PulledItem[]) => readonly PulledItem[]
  isSold: (item: PulledItem) => boolean
}

interface ResultsStageProps extends HaulSlots {
  haul: Haul
  run: Run | null
  /** Of one pack. */
  priceCents: number
  repeated: boolean
  /** Verifies the openings. */
  verification: OpeningsDialog
  /** Shares them. */
  sharing: OpeningsDialog
  balanceCents: number | undefined
  /** Opening another pack skips the intro. */
  fast: boolean
  again: () => void
  close: () => void
}

/** The pulled items, their value compared with the price, and the actions. */
export function ResultsStage(props: ResultsStageProps) {
  const { haul, run, priceCents, repeated, verification, sharing } = props
  const t = useOpeningT().opening.results
  const [verifying, setVerifying] = useState(false)
  const [isSharing, setSharing] = useState(false)
  const { openings } = haul
  const only = haul.items.length === 1 ? haul.items[0] : undefined
  function verify() {
    // Confetti would cover the numbers.
    clearConfetti()
    setVerifying(true)
  }
  function share() {
    clearConfetti()
    setSharing(true)
  }
  const notices = (
    <>
      {repeated && <Notice>{t.repeated}</Notice>}
      {run && <RunNotice run={run} priceCents={priceCents} />}
    </>
  )
  const verificationDialog: ReactNode = verification({ openings, open: verifying, onOpenChange: setVerifying })
  const sharingDialog: ReactNode = sharing({ openings, open: isSharing, onOpenChange: setSharing })
  return (
    <>
      {only ? (
        <OneItem {...props} item={only} notices={notices} verify={verify} share={share} />
      ) : (
        <SeveralItems {...props} notices={notices} verify={verify} share={share} />
      )}
      {openings.length > 0 && verificationDialog}
      {openings.length > 0 && sharingDialog}
    </>
  )
}

interface LayoutProps extends ResultsStageProps {
  notices: ReactNode
  verify: () => void
  share: () => void
}

function OneItem({ item, notices, verify, share, ...props }: LayoutProps & { item: PulledItem }) {
  const { haul, itemActions, sellChoice, sellable, isSold } = props
  const left = sellable([item])
  return (
    <Stage className="overflow-x-hidden">
      <div className="w-full max-w-xl self-end empty:hidden">{notices}</div>
      <div className="grid w-full max-w-5xl items-center gap-x-20 gap-y-10 lg:grid-cols-[1fr_27rem]">
        <div className={styles['aside']}>
          <SingleItem item={item} />
        </div>
        <div className={styles['story']}>
          <ResultSummary haul={haul} />
          {!isSold(item) && <Offer item={item} className="mt-4 text-sm" />}
          <ResultChoices
            {...props}
            sell={left.length > 0 && sellChoice(left, false)}
            keptCount={isSold(item) ? 0 : 1}
          />
          <div className="mt-3 print:hidden">{itemActions(item, true)}</div>
          <MoreActions haul={haul} verify={verify} share={share} className="mt-3 -ml-2.5" />
        </div>
      </div>
    </Stage>
  )
}

function SeveralItems({ notices, verify, share, ...props }: LayoutProps) {
  const { haul, itemActions, sellChoice, sellable, isSold } = props
  const { items } = haul
  const [picked, setPicked] = useState<ReadonlySet<string>>(new Set())
  const forSale = sellable(items)
  const ids = new Set(forSale.map(({ inventoryId }) => inventoryId))
  const selected = forSale.filter(({ inventoryId }) => picked.has(inventoryId))
  const selling = selected.length > 0 ? selected : forSale
  function toggle({ inventoryId }: PulledItem) {
    setPicked((before) => {
      const next = new Set(before)
      if (!next.delete(inventoryId)) next.add(inventoryId)
      return next
    })
  }
  return (
    <Stage className="grid-rows-[auto_1fr_auto] items-start p-0">
      {/* High enough for a toast, which covers no button here. */}
      <header className="sticky w-full top-0 z-5 flex min-h-28 items-center justify-between gap-8 border-b border-line bg-background/95 py-3 pr-56 pl-8 print:static">
        <ResultHeading haul={haul} />
        {haul.items.length > 0 && (
          <Comparison totalCents={haul.totalValueCents} paidCents={haul.priceCents} className="w-full max-w-xs" />
        )}
      </header>
      <div className="mx-auto w-full max-w-7xl px-8 py-5">
        {notices}
        {items.length > 0 && (
          <div className="mb-4 flex flex-wrap items-center justify-between gap-x-8 gap-y-2 print:hidden">
            <PickUnder
              items={forSale}
              selected={selected}
              onPick={(some) => setPicked(new Set(some.map(({ inventoryId }) => inventoryId)))}
            />
            <MoreActions haul={haul} verify={verify} share={share} className="-mr-2.5 ml-auto" />
          </div>
        )}
        <div className={styles['rise']}>
          <HaulGrid
            items={items}
            picked={picked}
            onPick={(item) => (ids.has(item.inventoryId) ? () => toggle(item) : undefined)}
            actions={(item) => itemActions(item, false)}
            isSold={isSold}
          />
        </div>
      </div>
      <footer className="sticky w-full bottom-0 z-5 border-t border-line bg-background/95 px-8 py-3 print:hidden">
        <div className="mx-auto max-w-4xl">
          <ResultChoices
            {...props}
            sell={selling.length > 0 && sellChoice(selling, selected.length > 0)}
            keptCount={items.filter((item) => !isSold(item)).length - selected.length}
            rest={selected.length > 0}
          />
        </div>
      </footer>
    </Stage>
  )
}
