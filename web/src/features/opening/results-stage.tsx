import { type ReactNode, useState } from 'react'
import type { Opening, PulledItem } from '@/contract/types'
import { cn } from '@/lib/cn'
import { Notice } from '@/components/ui/notice'
import { clearConfetti } from './celebrate'
import { Haul, SingleItem } from './haul'
import styles from './opening.module.css'
import { ResultActions } from './result-actions'
import { ResultSummary } from './result-summary'
import { Stage } from './stage'
import { useOpeningT } from './texts'

/** A dialog that verifies an opening, provided by another feature. */
export type VerificationDialog = (props: {
  opening: Opening
  open: boolean
  onOpenChange: (open: boolean) => void
}) => ReactNode

/** Actions for pulled items, provided by other features. */
export interface HaulSlots {
  itemActions: (item: PulledItem) => ReactNode
  haulActions: (items: readonly PulledItem[]) => ReactNode
  /** Whether all items are still in the collection. */
  isWhole: (items: readonly PulledItem[]) => boolean
}

interface ResultsStageProps extends HaulSlots {
  opening: Opening
  repeated: boolean
  verification: VerificationDialog
  balanceCents: number | undefined
  again: () => void
  close: () => void
}

/** The pulled items, their value compared with the price, and the actions. */
export function ResultsStage({
  opening,
  repeated,
  verification,
  balanceCents,
  again,
  close,
  ...slots
}: ResultsStageProps) {
  const t = useOpeningT().opening.results
  const { itemActions, haulActions, isWhole } = slots
  const [verifying, setVerifying] = useState(false)
  const only = opening.items.length === 1 ? opening.items[0] : undefined
  function verify() {
    // Confetti would cover the numbers.
    clearConfetti()
    setVerifying(true)
  }
  const actions = (
    <ResultActions
      opening={opening}
      balanceCents={balanceCents}
      more={!only && haulActions(opening.items)}
      whole={isWhole(opening.items)}
      verify={verify}
      again={again}
      close={close}
    />
  )
  return (
    <Stage className="overflow-x-hidden">
      {repeated && (
        <div className="w-full max-w-xl self-end">
          <Notice>{t.repeated}</Notice>
        </div>
      )}
      {only ? (
        <div className="grid w-full max-w-5xl items-center gap-x-20 gap-y-10 lg:grid-cols-[1fr_27rem]">
          <div className={styles['aside']}>
            <SingleItem item={only} />
          </div>
          <div className={styles['story']}>
            <ResultSummary opening={opening} />
            <div className="mt-7 print:hidden">{itemActions(only)}</div>
            {actions}
          </div>
        </div>
      ) : (
        <div className={cn('w-full max-w-6xl', styles['rise'])}>
          <ResultSummary opening={opening} wide />
          <Haul items={opening.items} actions={itemActions} />
          {actions}
        </div>
      )}
      {verification({ opening, open: verifying, onOpenChange: setVerifying })}
    </Stage>
  )
}
