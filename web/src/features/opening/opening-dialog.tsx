import { type ReactNode, useState } from 'react'
import { openingTexts, useOpeningT } from './texts'
import { usePackName } from '@/i18n/names'
import type { Pack } from '@/contract/types'
import { Dialog, DialogContent, DialogHeader } from '@/components/ui/dialog'
import { AnimationStage } from './animation-stage'
import { Controls } from './controls'
import { IntroStage } from './intro-stage'
import { type HaulSlots, ResultsStage, type VerificationDialog } from './results-stage'
import { RevealStage } from './reveal-stage'
import { spokenText } from './spoken-text'
import { useShow } from './use-show'

/** Awaited together with the code, so that the dialog never shows without texts. */
export const loadTexts = openingTexts.load

interface OpeningDialogProps extends HaulSlots {
  pack: Pack
  open: boolean
  onOpenChange: (open: boolean) => void
  balanceCents?: number | undefined
  verification: VerificationDialog
}

/** Opens a pack: intro, animation, reveal, results. Every opening starts with the intro. */
export function OpeningDialog({ open, onOpenChange, ...rest }: OpeningDialogProps) {
  return (
    <Dialog open={open} onOpenChange={onOpenChange}>
      {open && <Stages {...rest} close={() => onOpenChange(false)} />}
    </Dialog>
  )
}

type StagesProps = Omit<OpeningDialogProps, 'open' | 'onOpenChange'> & { close: () => void }

function Stages({ pack, balanceCents, verification, close, ...slots }: StagesProps) {
  const t = useOpeningT()
  const packName = usePackName()
  // The stages take focus before the dialog can remember the opener.
  const [opener] = useState(() => document.activeElement)
  const { show, attemptQuery, start, skip, again, leave } = useShow(pack, close)
  const running = show.stage === 'animation' || show.stage === 'reveal'
  const stages: Record<typeof show.stage, () => ReactNode> = {
    intro: () => <IntroStage pack={pack} attemptQuery={attemptQuery} balanceCents={balanceCents} start={start} />,
    animation: () => <AnimationStage pack={pack} tearing={show.torn && show.opening !== null} skip={skip} />,
    reveal: () => show.opening && <RevealStage opening={show.opening} show={show} skip={skip} />,
    results: () =>
      show.opening && (
        <ResultsStage
          opening={show.opening}
          repeated={show.repeated}
          verification={verification}
          {...slots}
          balanceCents={balanceCents}
          again={again}
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
        if (running) skip()
        else leave()
      }}
      onCloseAutoFocus={(event) => {
        event.preventDefault()
        if (opener instanceof HTMLElement) opener.focus()
      }}
    >
      <DialogHeader title={t.opening.dialog(packName(pack))} className="sr-only" />
      <p role="status" className="sr-only">
        {spokenText(show, t)}
      </p>
      <Controls turning={show.stage === 'intro'} leave={leave} />
      {stages[show.stage]()}
    </DialogContent>
  )
}
