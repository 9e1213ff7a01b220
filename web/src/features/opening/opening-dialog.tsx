import { type ReactNode, useEffect, useState } from 'react'
import { openingTexts, useOpeningT } from './texts'
import { usePackName } from '@/i18n/names'
import type { Pack } from '@/contract/types'
import { useSkipsIntro } from '@/lib/fast-mode'
import { confirmAboveCents, type Quantity } from '@/lib/quantity'
import { Dialog, DialogContent, DialogHeader } from '@/components/ui/dialog'
import { AnimationStage } from './animation-stage'
import { Controls } from './controls'
import { IntroStage } from './intro-stage'
import { type HaulSlots, type OpeningsDialog, ResultsStage } from './results-stage'
import { RevealStage } from './reveal-stage'
import { useSealedMoment } from './sealed-moment'
import { SealedStage } from './sealed-stage'
import { spokenText } from './spoken-text'
import { useShow } from './use-show'

/** Awaited together with the code, so that the dialog never shows without texts. */
export const loadTexts = openingTexts.load

interface OpeningDialogProps extends HaulSlots {
  pack: Pack
  open: boolean
  onOpenChange: (open: boolean) => void
  balanceCents?: number | undefined
  /** Preselected in the first intro. */
  initialQuantity?: Quantity
  verification: OpeningsDialog
  sharing: OpeningsDialog
}

/** Opens packs: intro, animation, reveal, results. Every opening starts with the intro, except in fast mode. */
export function OpeningDialog({ open, onOpenChange, ...rest }: OpeningDialogProps) {
  return (
    <Dialog open={open} onOpenChange={onOpenChange}>
      {open && <Stages {...rest} close={() => onOpenChange(false)} />}
    </Dialog>
  )
}

type StagesProps = Omit<OpeningDialogProps, 'open' | 'onOpenChange'> & { close: () => void }

function Stages({ pack, balanceCents, initialQuantity = 1, verification, sharing, close, ...slots }: StagesProps) {
  const t = useOpeningT()
  const packName = usePackName()
  // The stages take focus before the dialog can remember the opener.
  const [opener] = useState(() => document.activeElement)
  const { show, run, attemptQuery, start, skip, stopWaiting, again, leave } = useShow(pack, close)
  const fast = useSkipsIntro() && pack.priceCents <= confirmAboveCents
  const [first, setFirst] = useState({ skipsIntro: fast && initialQuantity === 1, quantity: initialQuantity })
  const waits = useSkippedIntro(first.skipsIntro && show.stage === 'intro', attemptQuery, pack, balanceCents, start)
  const stage = waits ? 'animation' : show.stage
  const running = stage === 'animation' || stage === 'reveal'
  const sealed = waits ? pack.sealed !== undefined : show.sealed
  const moment = useSealedMoment(run)
  // Once the animation is skipped, only the round can end the wait.
  const canSkip = !waits && !(sealed && show.skipped) && moment !== 'late'
  const skipText = show.skipsReveal ? t.opening.skipToEnd : undefined
  const stages: Record<typeof show.stage, () => ReactNode> = {
    intro: () => (
      <IntroStage
        pack={pack}
        attemptQuery={attemptQuery}
        balanceCents={balanceCents}
        initialQuantity={first.quantity}
        start={start}
      />
    ),
    animation: () =>
      sealed ? (
        <SealedStage
          pack={pack}
          tearing={show.torn && show.haul !== null}
          run={run}
          moment={moment}
          skip={canSkip ? skip : undefined}
          skipText={skipText}
          stopWaiting={stopWaiting}
          close={leave}
        />
      ) : (
        <AnimationStage
          pack={pack}
          tearing={show.torn && show.haul !== null}
          run={run}
          skip={waits ? undefined : skip}
          skipText={skipText}
          stopWaiting={stopWaiting}
        />
      ),
    reveal: () => show.haul && <RevealStage haul={show.haul} show={show} skip={skip} skipText={skipText} />,
    results: () =>
      show.haul && (
        <ResultsStage
          haul={show.haul}
          run={run}
          priceCents={pack.priceCents}
          repeated={show.repeated}
          verification={verification}
          sharing={sharing}
          {...slots}
          balanceCents={balanceCents}
          fast={fast}
          again={() => {
            setFirst({ skipsIntro: fast, quantity: 1 })
            again()
          }}
          close={close}
        />
      ),
  }
  return (
    <DialogContent
      aria-describedby={undefined}
      overlayClassName="bg-background"
      className="inset-0 top-0 left-0 h-dvh max-h-none w-full max-w-none translate-0 rounded-none border-0! bg-background! p-0 shadow-none! data-[state=open]:zoom-in-100"
      closeButton={false}
      onInteractOutside={(event) => event.preventDefault()}
      onEscapeKeyDown={(event) => event.preventDefault()}
      onKeyDown={(event) => {
        // Handled here, because a toast above the dialog would swallow the key.
        // Ignore keys that bubble up from the verification dialog.
        if (event.key !== 'Escape' || !event.currentTarget.contains(event.target as Node)) return
        if (running && !(stage === 'animation' && sealed && !canSkip)) skip()
        else leave()
      }}
      onCloseAutoFocus={(event) => {
        event.preventDefault()
        if (opener instanceof HTMLElement) opener.focus()
      }}
    >
      <DialogHeader title={t.opening.dialog(packName(pack))} className="sr-only" />
      <p role="status" className="sr-only">
        {spokenText(show, run, t, moment)}
      </p>
      <Controls turning={stage === 'intro'} fastMode={!running} leave={leave} />
      {stages[stage]()}
    </DialogContent>
  )
}

/**
 * Starts without the intro as soon as the commitment has arrived. Returns whether it waits for that. Anything that the
 * user must know or decide shows the intro: a lost answer, a missing balance, a failure.
 */
function useSkippedIntro(
  skipped: boolean,
  { attempt, error }: ReturnType<typeof useShow>['attemptQuery'],
  pack: Pack,
  balanceCents: number | undefined,
  start: (quantity: Quantity) => void,
): boolean {
  const waits = skipped && !error && !attempt?.sent && (balanceCents ?? pack.priceCents) >= pack.priceCents
  const ready = waits && attempt !== undefined
  useEffect(() => {
    if (ready) start(1)
    // oxlint-disable-next-line react/exhaustive-deps -- starts once, when it is ready
  }, [ready])
  return waits
}
