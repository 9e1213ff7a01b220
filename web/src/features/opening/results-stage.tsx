import { useState } from 'react'
import type { Opening } from '@/lib/api/types'
import { cn } from '@/lib/cn'
import { settle } from './celebrate'
import { Haul, Piece } from './haul'
import styles from './opening.module.css'
import { ResultActions } from './result-actions'
import { ResultSummary } from './result-summary'
import { Stage } from './stage'
import { VerifyDialog } from './verify-dialog'

interface ResultsStageProps {
  opening: Opening
  /** The seal seen before the open. */
  commitment: string | undefined
  balanceCents: number | undefined
  again: () => void
  close: () => void
}

/** What came out, what it is worth against its price, and what can be done now. */
export function ResultsStage({ opening, commitment, balanceCents, again, close }: ResultsStageProps) {
  const [verifying, setVerifying] = useState(false)
  const only = opening.items.length === 1 ? opening.items[0] : undefined
  function verify() {
    // What still falls would fall over the numbers.
    settle()
    setVerifying(true)
  }
  const actions = (
    <ResultActions opening={opening} balanceCents={balanceCents} verify={verify} again={again} close={close} />
  )
  return (
    <Stage className="overflow-x-hidden">
      {only ? (
        <div className="grid w-full max-w-5xl items-center gap-x-20 gap-y-10 lg:grid-cols-[1fr_27rem]">
          <div className={styles['aside']}>
            <Piece item={only} />
          </div>
          <div className={styles['story']}>
            <ResultSummary opening={opening} />
            {actions}
          </div>
        </div>
      ) : (
        <div className={cn('w-full max-w-6xl', styles['rise'])}>
          <ResultSummary opening={opening} wide />
          <Haul items={opening.items} />
          {actions}
        </div>
      )}
      <VerifyDialog opening={opening} shownCommitment={commitment} open={verifying} onOpenChange={setVerifying} />
    </Stage>
  )
}
