import { CircleCheck } from 'lucide-react'
import { type CSSProperties, useState } from 'react'
import type { Pack } from '@/contract/types'
import { useSecondsLeft } from '@/lib/use-seconds-left'
import { Button } from '@/components/ui/button'
import { PackCover, type PackCoverState } from '@/components/pack-cover'
import { Spinner } from '@/components/ui/spinner'
import styles from './opening.module.css'
import { isUnknown, type OrderTimes, type Run } from './run'
import { lastRound, type SealedMoment } from './sealed-moment'
import { Stage } from './stage'
import { useOpeningT } from './texts'
import { useFixed } from './use-fixed'

interface SealedStageProps {
  pack: Pack
  /** The draws have arrived, so the pack may tear. */
  tearing: boolean
  run: Run | null
  moment: SealedMoment
  skip: (() => void) | undefined
  skipText: string | undefined
  stopWaiting: () => void
  close: () => void
}

/** From the order to its draw: the pack floats, and a ring counts down to the round. */
export function SealedStage({ pack, tearing, run, moment, skip, skipText, stopWaiting, close }: SealedStageProps) {
  const t = useOpeningT().opening
  const unknown = run !== null && run.quantity > 1 && isUnknown(run)
  const state: PackCoverState = tearing ? 'tearing' : 'floating'
  return (
    <Stage skip={skip} skipText={skipText} className="overflow-hidden py-10">
      <div className="grid justify-items-center gap-9">
        <PackCover pack={pack} state={state} className="w-[min(26rem,40dvh)]" />
        {/* As high as its highest content, so that the pack stays in place. */}
        <div className="grid min-h-44 content-start justify-items-center gap-3 text-center">
          <Progress run={run} moment={moment} />
          {unknown && (
            <>
              <p className="max-w-md text-sm text-muted-foreground">{t.run.checkingHelp}</p>
              {/* Above the button that covers the stage. */}
              <Button variant="secondary" className="relative z-10" onClick={stopWaiting}>
                {t.run.stopWaiting}
              </Button>
            </>
          )}
          {moment === 'late' && (
            <>
              <p className="text-sm text-muted-foreground">{t.sealed.closable}</p>
              <Button variant="secondary" className="relative z-10 mt-1" onClick={close}>
                {t.sealed.close}
              </Button>
            </>
          )}
        </div>
      </div>
    </Stage>
  )
}

function Progress({ run, moment }: Pick<SealedStageProps, 'run' | 'moment'>) {
  const t = useOpeningT().opening
  const fixed = useFixed(run)
  const several = run !== null && run.quantity > 1
  const round = lastRound(run)
  if (moment === 'ordering' || !run?.orders) {
    return (
      <>
        <p className="text-lg text-muted-foreground">{moment === 'drawn' ? t.sealed.drawn : t.sealed.ordering}</p>
        {several && (
          <p aria-hidden className="tabular-nums">
            {isUnknown(run) ? t.run.checking(run.opened.length) : t.sealed.progress(run.opened.length, run.quantity)}
          </p>
        )}
      </>
    )
  }
  if (moment === 'drawn') return <p className="text-lg text-muted-foreground">{t.sealed.drawn}</p>
  if (moment === 'late') {
    return <p className="max-w-md text-lg text-balance">{t.sealed.late(run.opened.length)}</p>
  }
  return (
    <>
      {moment === 'counting' ? <Ring key={run.orders.roundAt} {...run.orders} /> : <Spinner className="my-3 size-10" />}
      <p className="text-lg tabular-nums">
        {moment === 'counting' ? t.sealed.waiting(round) : t.sealed.publishing(round)}
      </p>
      <p className="flex items-center gap-1.5 text-sm text-muted-foreground">
        <CircleCheck aria-hidden className="size-4 text-positive-text" />
        <span>{t.sealed.ordered(run.opened.length)}</span>
      </p>
      {fixed !== null && (
        <p className="flex items-center gap-1.5 text-sm text-muted-foreground tabular-nums">
          <CircleCheck aria-hidden className="size-4 text-positive-text" />
          <span>{t.sealed.fixed(run.opened.length, fixed)}</span>
        </p>
      )}
    </>
  )
}

/** Counts down to the round. It follows the time since the answer, not the device's clock. */
function Ring({ from, roundAt }: Pick<OrderTimes, 'from' | 'roundAt'>) {
  const seconds = useSecondsLeft(roundAt)
  const [elapsed] = useState(() => performance.now() - from)
  const time = { '--total': `${roundAt - from}ms`, '--elapsed': `${-elapsed}ms` } as CSSProperties
  return (
    <div aria-hidden className="relative grid size-16 place-items-center">
      <svg viewBox="0 0 64 64" className="absolute inset-0 -rotate-90" style={time}>
        <circle cx="32" cy="32" r="29" fill="none" stroke="var(--line-strong)" strokeWidth="3" />
        <circle
          cx="32"
          cy="32"
          r="29"
          fill="none"
          stroke="var(--gold)"
          strokeWidth="3"
          strokeLinecap="round"
          pathLength="1"
          strokeDasharray="1"
          className={styles['drain']}
        />
      </svg>
      <span className="text-2xl font-semibold tabular-nums">{seconds}</span>
    </div>
  )
}
